import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Buildah } from '../../tools/release/buildah.ts'
import { OWN_ARCHITECTURE, type Architecture } from '../../tools/release/debian-base.ts'
import { IMAGES, storedName } from '../../tools/release/images.ts'
import type { Result } from './kit/results.ts'

/** Programs that build others, or fetch them. */
const TOOLS = ['npm', 'gcc', 'cc', 'make', 'git', 'curl', 'wget', 'javac']
/** The builder has npm to run the project's scripts, without a network. */
const BUILDERS = ['builder']
/** Each needs it itself. */
const OWN: Record<string, string[]> = {
  chromium: ['print'],
  python3: ['certbot'],
  java: ['keycloak'],
  postgres: ['postgres'],
  nginx: ['site'],
}
/** Folders that a user of an image may write to; a container has volumes or tmpfs there. */
const WRITABLE =
  /^\/(tmp|var\/tmp|run\/lock|var\/lock|run\/postgresql|var\/lib\/gatehouse\/\w+|var\/lib\/postgresql\/data|opt\/keycloak\/(data|themes))$/
/** Where Debian's packages put folders of the same users; nothing runs from there. */
const PACKAGES_OWN =
  /^\/(var\/(lib|log)\/(nginx|postgresql|pgbackrest)|var\/(log|spool|lib)\/pgbackrest)(\/|$)/
/** A program of each image, for the processor it is for. */
const PROGRAMS: Record<string, string> = {
  builder: '/usr/local/bin/node',
  api: '/usr/local/bin/node',
  print: '/usr/lib/chromium/chromium-headless-shell',
  site: '/usr/sbin/nginx',
  certbot: '/usr/bin/python3.13',
  postgres: '/usr/lib/postgresql/17/bin/postgres',
  keycloak: '/usr/lib/jvm/java-21-openjdk-*/bin/java',
}
/** `e_machine` of an ELF file. */
const MACHINES: Record<Architecture, number> = { amd64: 62, arm64: 183 }

/** The one package that can't be bundled, with its only native module. */
const PACKAGES = '/app/api/dist/node_modules'
const PICTURES = `${PACKAGES}/@img/sharp-linux-`
/** Of another processor, so it differs. */
const LIBRARY = 'app/api/dist/node_modules/@img/sharp-libvips-linux-*/lib/libvips-cpp.so.*'
/** Prints the beginnings of both previews of a picture of one pixel. */
const PREVIEW = `cd /tmp && echo iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg== | base64 -d >one.png
  node -e "
    const child = child_process.fork('/app/api/dist/write-previews.js', { env: {} })
    const targets = { small: '/tmp/small', large: '/tmp/large' }
    child.on('message', (message) => {
      if (message.ready) return child.send({ source: '/tmp/one.png', targets })
      console.log(message.written ? Object.values(targets).map((path) => fs.readFileSync(path).toString('latin1', 0, 4)).join(' ') : message)
      child.kill()
    })" 2>&1`

type Image = { buildah: Buildah; version: string; image: string; arch?: Architecture }

/** Calls `use` with a way to run a command in the image and with the folder of its files. */
function withImage<T>(
  { buildah, version, image, arch = OWN_ARCHITECTURE }: Image,
  use: (inside: (script: string) => string, root: string) => T,
) {
  const name = storedName(image, version, arch)
  const container = buildah.run('from', '--pull-never', `--arch=${arch}`, name)
  const inside = (script: string) =>
    buildah.run('run', '--isolation', 'chroot', container, '--', 'sh', '-c', script)
  try {
    return use(inside, buildah.run('mount', container))
  } finally {
    buildah.run('rm', container)
  }
}

export function describe(buildah: Buildah, version: string): Result[] {
  return IMAGES.flatMap((image) =>
    withImage({ buildah, version, image }, (inside) => {
      const uid = inside('id -u')
      const there = TOOLS.filter((tool) => inside(`command -v ${tool} || true`) !== '')
      const others = Object.entries(OWN)
        .filter(
          ([program, images]) =>
            !images.includes(image) && inside(`command -v ${program} || true`) !== '',
        )
        .map(([program]) => program)
      const writable = inside('find / -xdev -type d -writable 2>/dev/null || true')
        .split('\n')
        .filter((folder) => !WRITABLE.test(folder) && !PACKAGES_OWN.test(folder))
      const size = buildah.sizeOf(storedName(image, version, OWN_ARCHITECTURE))
      if (BUILDERS.includes(image))
        return [
          { title: image, isRight: others.length === 0, figure: `${size}, never runs a service` },
        ]
      return [
        {
          title: image,
          isRight:
            uid !== '0' && there.length === 0 && others.length === 0 && writable.length === 0,
          figure: `${size}, user ${uid}, tools: ${[...there, ...others].join(' ') || 'none'}, writable: ${writable.join(' ') || 'as declared'}`,
        },
      ]
    }),
  )
}

/** What the programs of the API's image say of themselves. */
export const describePrograms = (buildah: Buildah, version: string): Result[] =>
  withImage({ buildah, version, image: 'api' }, (inside) => {
    const theme = inside(
      'cd /app && THEMES_DIR=/tmp/themes node api/dist/theme.js && ls /tmp/themes/gatehouse',
    )
    const realm = inside('cd /app && node api/dist/realm.js 2>&1 || true')
    const packages = inside('find /app -name node_modules -prune')
    const natives = inside("find / -xdev -name '*.node' 2>/dev/null || true").split('\n')
    const preview = inside(PREVIEW)
    return [
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
        title: 'packages beside the built API: only the one that reads pictures',
        isRight: packages === PACKAGES && natives.every((path) => path.startsWith(PICTURES)),
        figure: [packages, ...natives].join(' ') || 'none',
      },
      {
        title: 'a picture gets its previews',
        isRight: /^RIFF RIFF$/.test(preview),
        figure: preview,
      },
    ]
  })

/** The images of another processor: their programs are for it, what we build is byte for byte the same, and Node runs. */
export function compareArchitecture(
  buildah: Buildah,
  version: string,
  arch: Architecture,
): Result[] {
  const results = IMAGES.map((image) =>
    withImage({ buildah, version, image, arch }, (_inside, root) => {
      const [machine = 0] = machinesOf(globSync(join(root, PROGRAMS[image] ?? '')))
      return {
        title: `${image} for ${arch}`,
        isRight: machine === MACHINES[arch],
        figure: `${PROGRAMS[image]} is for machine ${machine}, ${buildah.sizeOf(storedName(image, version, arch))}`,
      }
    }),
  )
  const sum = (one: Architecture) =>
    withImage({ buildah, version, image: 'api', arch: one }, (_inside, root) =>
      sumOf(join(root, 'app')),
    )
  const library = withImage({ buildah, version, image: 'api', arch }, (_inside, root) =>
    machinesOf(globSync(join(root, LIBRARY))),
  )
  const [theirs, ours] = [sum(arch), sum(OWN_ARCHITECTURE)]
  const node = withImage({ buildah, version, image: 'api', arch }, (inside) =>
    inside("node -p \"process.arch + ' ' + process.version + ' ' + [1, 2].map((n) => n * 21)[1]\""),
  )
  return [
    ...results,
    {
      title: `/app for ${arch}`,
      isRight: theirs === ours,
      figure: `${theirs.slice(0, 12)}, ours ${ours.slice(0, 12)}`,
    },
    {
      title: `library of pictures for ${arch}`,
      isRight: library.join() === String(MACHINES[arch]),
      figure: `for machine ${library.join(', ') || 'none'}`,
    },
    { title: `Node under qemu`, isRight: /^arm64 v2\d\S* 42$/.test(node), figure: node },
  ]
}

const machinesOf = (files: string[]) => files.map((file) => readFileSync(file).readUInt16LE(18))

/** Without the package whose binary is of the processor. */
function sumOf(folder: string) {
  const built = ['.', '-path', './api/dist/node_modules', '-prune', '-o', '-type', 'f']
  const list = execFileSync('find', [...built, '-exec', 'sha256sum', '{}', '+'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  return createHash('sha256').update(list.split('\n').toSorted().join('\n')).digest('hex')
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
