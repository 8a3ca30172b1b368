import type { Machine } from './kit/containers/machine.ts'

const EXPOSURE_MAX = 2
/** Of every server, besides the API and PostgreSQL. */
const UNITS = 'nginx gatehouse-backup.timer gatehouse-certificate.path'
/** Start of Node on a busy machine, plus systemd's RestartSec of two seconds. */
const RESTART_TRIES = 30

export async function checkUnits({ ask }: Machine, ports: number[], more: string[] = []) {
  const problems: string[] = []
  const { text: clusters } = await ask('pg_lsclusters --no-header | awk \'{ print $1 "-" $2 }\'')
  const others = [UNITS, ...clusters.split('\n').map((name) => `postgresql@${name}`), ...more]
  const expect = async (what: string, command: string, response: RegExp) => {
    const { text } = await ask(command)
    if (!response.test(text)) problems.push(`${what}: ${text}`)
  }
  const units = ports.map((port) => `gatehouse-api@${port}`)
  const all = [...others, ...units].join(' ')
  const [unit = '', port = 0] = [units[0], ports[0]]
  const process = `"$(systemctl show -P MainPID ${unit})"`

  await expect('units', `systemctl is-active ${all}`, /^(active\s*)+$/)
  await expect('enabled at boot', `systemctl is-enabled ${all}`, /^(enabled\S*\s*)+$/)
  await expect(
    'systemd-analyze verify',
    `systemd-analyze verify /etc/systemd/system/gatehouse-* 2>&1`,
    /^$/,
  )
  await expect(
    'timer',
    'systemctl list-timers --no-legend gatehouse-backup.timer',
    /02:00:00 .*gatehouse-backup/,
  )
  await expect(
    'backup',
    'systemctl start gatehouse-backup && systemctl show -P Result gatehouse-backup',
    /^success$/,
  )
  await expect(
    'restarted after a kill',
    `before=${process}; kill -9 $before
      for try in $(seq ${RESTART_TRIES}); do
        sleep 1
        [ ${process} != $before ] && (exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null && echo back && break
      done`,
    /^back$/,
  )
  await expect(
    'rights',
    `grep -E 'NoNewPrivs|Seccomp:|CapEff' /proc/${process}/status`,
    /CapEff:\s0+\nNoNewPrivs:\s1\nSeccomp:\s2/,
  )
  // Even as root: the mount is read-only.
  for (const folder of [
    '/etc/gatehouse',
    '/opt/gatehouse/current',
    '/var/lib/gatehouse/site',
    '/usr',
  ])
    await expect(
      'sandbox',
      `nsenter -t ${process} -m touch ${folder}/drill`,
      /Read-only file system/,
    )
  await expect('its pages', `nsenter -t ${process} -m touch -c /var/lib/gatehouse/pages`, /^$/)
  const { text } = await ask(`systemd-analyze security --no-pager ${unit} | tail -1`)
  const exposure = Number(/exposure level[^:]*: ([\d.]+)/.exec(text)?.[1] ?? Number.NaN)
  if (!(exposure <= EXPOSURE_MAX)) problems.push(`sandbox: ${text}`)
  return { problems, facts: [`systemd exposure of the API ${exposure} (0 lowest, 10 highest)`] }
}
