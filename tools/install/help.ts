import { ALL_QUESTIONS } from './questions.ts'

export const HELP = `Writes the files of an installation: .env, secrets/, site/site.json. Then checks DNS, ports and the mail relay. Safe to
repeat: earlier answers are suggested, secrets and site/site.json are never replaced.

  --folder FOLDER   folder of the installation; default: the current one
  --version V       release to install; default: the one in .env
  --answers FILE    takes the answers from a file (- is standard input) with a line NAME=value for each, quoted as in .env:
                    POSTAL_ADDRESS='1 Main Street, Cork'. One that is left out keeps its earlier value or takes the suggestion.
  --running         the site is running, so its ports may be in use
  --server          of a server without containers: writes init.env instead of .env, and no secret that the server makes itself
  --command NAME    how this program was called, for its advice
  --check-only      asks and writes nothing, only checks

Answers:
${ALL_QUESTIONS.map(({ name, text }) => `  ${name.padEnd(17)} ${text}`).join('\n')}

Those from SITE_NAME on are asked only while there is no site/site.json of your own; those after COUNTRY only for some countries; OIDC_ISSUER only
on a server.`
