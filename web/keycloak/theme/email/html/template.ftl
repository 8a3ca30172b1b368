<#macro emailLayout>
<!doctype html>
<html lang="${locale.language}" dir="${(ltr)?then('ltr','rtl')}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<style>
.gh-box p { margin: 0 0 16px }
.gh-box p:last-child { margin: 0 }
.gh-box a { display: inline-block; padding: 10px 18px; border-radius: 5px; background: @brand@; color: @on-brand@; font-weight: 600; text-decoration: none }
@media (prefers-color-scheme: dark) {
  .gh-page { background: @dark-page@ !important; color: @dark-ink@ !important }
  .gh-box { background: @dark-surface@ !important; border-color: @dark-line@ !important }
  .gh-box a { background: @dark-brand@; color: @dark-on-brand@ }
  .gh-foot, .gh-foot a { color: @dark-ink-2@ !important }
}
</style>
</head>
<body class="gh-page" style="margin:0;background:@page@;color:@ink@;font:16px/1.5 Arial,sans-serif">
<div style="max-width:36rem;margin:0 auto;padding:24px">
<p style="margin:0 0 16px;font-size:18px;font-weight:700">@name@</p>
<div class="gh-box" style="background:@surface@;border:1px solid @line@;border-radius:8px;padding:24px"><#nested></div>
<p class="gh-foot" style="margin:16px 0 0;font-size:14px;color:@ink-2@">${msg("ghFoot")} <a href="mailto:@mail@" style="color:@ink-2@">@mail@</a><#if "@phone@"?has_content> ${msg("ghOrCall")} <a href="@phone-link@" style="color:@ink-2@">@phone@</a>@open@</#if></p>
</div>
</body>
</html>
</#macro>
