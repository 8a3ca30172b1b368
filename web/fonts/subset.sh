#!/bin/sh
# Creates the fonts in this folder from the packages': weights 400 to 700, basic Latin with the punctuation of our texts in
# one file, the rest of Latin-1 in a second, which browsers fetch only if a page has an accent. Run in web/fonts, with
# `pip install fonttools==4.68.0 brotli==1.2.1`.
set -eu
PACKAGES=../../node_modules/@fontsource-variable
BASIC=U+0020-007E,U+00A0,U+00A9,U+00B7,U+2013,U+2014,U+2018,U+2019,U+201C,U+201D,U+2026,U+2192
REST=U+00A1-00A8,U+00AA-00B6,U+00B8-00FF,U+0131,U+0152-0153,U+02C6,U+02DA,U+02DC,U+2010-2012,U+201A,U+201E,U+2020-2022,U+2030,U+2039,U+203A,U+20AC,U+2122,U+2212

subset() {
  fonttools varLib.instancer --quiet -o "/tmp/$1.ttf" "$PACKAGES/$1/files/$1-latin-wght-normal.woff2" wght=400:700
  for part in "basic $BASIC" "rest $REST"; do
    pyftsubset "/tmp/$1.ttf" --unicodes="${part#* }" --no-layout-closure --layout-features=kern,liga,mark,mkmk,ccmp,locl,tnum,lnum \
      --flavor=woff2 --output-file="$1-${part%% *}.woff2"
  done
  rm "/tmp/$1.ttf"
}

subset schibsted-grotesk
subset jetbrains-mono
