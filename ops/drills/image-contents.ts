import type { Buildah } from './kit/containers/buildah.ts'
import type { Result } from './kit/results.ts'

const TOOLS = ['npm', 'gcc', 'make', 'git', 'python3', 'chromium']

export function describe(buildah: Buildah, api: string): Result[] {
  const { User = '', ExposedPorts = {}, Healthcheck } = buildah.configOf('gatehouse-api')
  const inside = (script: string) =>
    buildah.run('run', '--isolation', 'chroot', api, '--', 'sh', '-c', script)
  const uid = inside('id -u')
  const there = TOOLS.filter((tool) => inside(`command -v ${tool} || true`) !== '')
  const writable = inside('find / -xdev -type d -writable 2>/dev/null || true')
  const packages = inside('find /app -name node_modules')
  const theme = inside(
    'cd /app && THEMES_DIR=/tmp/themes node api/dist/theme.js && ls /tmp/themes/gatehouse',
  )
  const realm = inside('cd /app && node api/dist/realm.js 2>&1 || true')
  const ports = Object.keys(ExposedPorts)
  return [
    ...['api', 'site'].map((target) => {
      const size = buildah.sizeOf(`gatehouse-${target}`)
      return { title: `size of ${target}`, isRight: Number.parseInt(size, 10) > 0, figure: size }
    }),
    { title: 'user', isRight: uid !== '0', figure: `${User} (${uid})` },
    { title: 'exposed ports', isRight: ports.join() === '8081/tcp', figure: ports.join(', ') },
    {
      title: 'health check',
      isRight: Boolean(Healthcheck),
      figure: Healthcheck?.Test[1] ?? 'none',
    },
    {
      title: 'build tools',
      isRight: there.length === 0,
      figure: there.join(', ') || `none of ${TOOLS.join(', ')}`,
    },
    {
      title: 'realm-apply runs and names missing settings',
      isRight: realm.includes('IDENTITY_ADMIN_URL is missing'),
      figure: /\w+ is missing/.exec(realm)?.[0] ?? realm,
    },
    {
      title: 'theme of Keycloak’s pages and mails',
      isRight: theme.split('\n').join() === 'account,email,login',
      figure: theme.split('\n').join(', '),
    },
    {
      title: 'packages beside the built API',
      isRight: packages === '',
      figure: packages || 'none',
    },
    {
      title: 'folders writable by its user',
      isRight: writable
        .split('\n')
        .every((folder) =>
          /^\/(tmp|var\/tmp|run\/lock|var\/lock|var\/lib\/gatehouse\/(notice|pages|themes))$/.test(
            folder,
          ),
        ),
      figure: writable.split('\n').join(' '),
    },
  ]
}

export function migrate(buildah: Buildah, api: string, url: string): Result {
  const env = `--env=DATABASE_MIGRATION_URL=${url}`
  const program = ['node', 'api/dist/migrate.js']
  const output = buildah.run('run', '--isolation', 'chroot', env, api, '--', ...program)
  return {
    title: 'migrations',
    isRight: output.startsWith('Applied'),
    figure: `${output.split(',').length} applied`,
  }
}
