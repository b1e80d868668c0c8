/** The real `yarn` and `pnpm` with the registry of a project: publish, tags, install with what is needed, and from a lock file with its digests. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openScene, type SceneProject } from '../scene.ts'
import { npmClient } from './npm_clients/installed.ts'
import { openWorkbench } from './workbench.ts'

const scene = await openScene()
const workbench = await openWorkbench()

const registryOf = (project: SceneProject) => `${scene.url}/api/v4/projects/${project.id}/packages/npm/`

/** What the two programs differ in. */
interface Manager {
  readonly client: ReturnType<typeof npmClient>
  /** The files of a folder whose registry is that of a project. */
  settings(project: SceneProject, token: string): Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
  /** What is done in the folder of a package before it is published. */
  readonly prepare?: readonly string[]
  readonly publish: readonly string[]
  readonly install: readonly string[]
  /** Installs what the lock file says, or nothing. */
  readonly frozen: readonly string[]
  readonly tags: Readonly<Record<'add' | 'list' | 'remove', readonly string[]>>
  readonly lock: string
  /** How the lock file says the digest of the archive. */
  digest(archive: Buffer): string | undefined
}

const managers: Readonly<Record<string, Manager>> = {
  yarn: {
    client: npmClient('yarn'),
    settings: (project, token) => ({
      '.yarnrc.yml': JSON.stringify({
        nodeLinker: 'node-modules',
        enableTelemetry: false,
        enableGlobalCache: false,
        npmMinimalAgeGate: 0,
        unsafeHttpWhitelist: ['127.0.0.1'],
        // Not the scope alone: what the settings of a scope leave out would go to the public registry.
        npmRegistryServer: registryOf(project),
        npmPublishRegistry: registryOf(project),
        npmAlwaysAuth: true,
        npmAuthToken: token,
      }),
      'yarn.lock': '',
    }),
    env: { YARN_ENABLE_IMMUTABLE_INSTALLS: 'false' },
    prepare: ['install'],
    publish: ['npm', 'publish'],
    install: ['install'],
    frozen: ['install', '--immutable'],
    tags: { add: ['npm', 'tag', 'add'], list: ['npm', 'tag', 'list'], remove: ['npm', 'tag', 'remove'] },
    lock: 'yarn.lock',
    // Its digest is of the archive that it makes of this one.
    digest: () => undefined,
  },
  pnpm: {
    client: npmClient('pnpm'),
    settings: (project, token) => ({
      '.npmrc': [`registry=${registryOf(project)}`, `${registryOf(project).replace('http:', '')}:_authToken=${token}`].join('\n'),
      'pnpm-workspace.yaml': 'minimumReleaseAge: 0\n',
    }),
    env: {},
    publish: ['publish', '--no-git-checks'],
    install: ['install', '--no-frozen-lockfile'],
    frozen: ['install', '--frozen-lockfile'],
    tags: { add: ['dist-tag', 'add'], list: ['dist-tag', 'ls'], remove: ['dist-tag', 'rm'] },
    lock: 'pnpm-lock.yaml',
    digest: archive => `sha512-${createHash('sha512').update(archive).digest('base64')}`,
  },
}

let folders = 0

for (const [name, manager] of Object.entries(managers)) {
  const { program, path, skip } = manager.client
  test(`${name} publishes with tags, installs with dependencies, and again from its lock file`, { skip }, async () => {
    const { project, owner, reporter } = await scene.project({ members: ['reporter'] })
    const folder = async (token: string, manifest: object, more: Readonly<Record<string, string>> = {}) => {
      const cwd = join(workbench.directory, `${name}-${++folders}`)
      await mkdir(cwd)
      const files = { 'package.json': JSON.stringify(manifest), ...manager.settings(project, token), ...more }
      for (const [file, content] of Object.entries(files)) await writeFile(join(cwd, file), content)
      return cwd
    }
    // Each folder is a home of its own: what one has fetched is not known to the next.
    const attempt = (cwd: string, ...args: readonly string[]) =>
      workbench.attempt(program, args, { cwd, env: { PATH: path, HOME: cwd, ...manager.env } })
    const run = async (cwd: string, ...args: readonly string[]) => {
      const { code, stdout, stderr } = await attempt(cwd, ...args)
      assert.equal(code, 0, `${args.join(' ')}\n${stdout}${stderr}`)
      return stdout
    }
    const source = async (token: string, of: string, version: string, dependencies: object = {}) => {
      const manifest = { name: of, version, license: 'MIT', dependencies }
      const cwd = await folder(token, manifest, { 'index.js': `module.exports = '${version}'\n` })
      if (manager.prepare) await run(cwd, ...manager.prepare)
      return cwd
    }
    for (const version of ['1.0.0', '1.1.0', '2.0.0']) await run(await source(owner.token, '@team/base', version), ...manager.publish)
    const thing = await source(owner.token, '@team/thing', '1.0.0', { '@team/base': '^1.0.0' })
    await run(thing, ...manager.publish)
    await run(await source(owner.token, '@team/thing', '2.0.0-rc.1', { '@team/base': '^2.0.0' }), ...manager.publish, '--tag', 'next')
    assert.notEqual((await attempt(thing, ...manager.publish)).code, 0, 'a version is published once')
    assert.notEqual((await attempt(await source(reporter.token, '@team/thing', '3.0.0'), ...manager.publish)).code, 0)

    await run(thing, ...manager.tags.add, '@team/thing@1.0.0', 'stable')
    const tags = await run(thing, ...manager.tags.list, '@team/thing')
    for (const tag of [/latest.*1\.0\.0/, /next.*2\.0\.0-rc\.1/, /stable.*1\.0\.0/]) assert.match(tags, tag)
    await run(thing, ...manager.tags.remove, '@team/thing', 'stable')
    assert.doesNotMatch(await run(thing, ...manager.tags.list, '@team/thing'), /stable/)

    const consumer = { name: 'consumer', version: '1.0.0', dependencies: { '@team/thing': 'latest', '@team/base': '^1.0.0' } }
    const cwd = await folder(reporter.token, consumer)
    await run(cwd, ...manager.install)
    const says = (of: string) => readFile(join(cwd, `node_modules/@team/${of}/index.js`), 'utf8')
    assert.deepEqual([await says('thing'), await says('base')], ["module.exports = '1.0.0'\n", "module.exports = '1.1.0'\n"])

    const document = (await reporter.get(`${project.url}/packages/npm/@team%2Fthing`)).body
    const archive = (await reporter.get(document.versions['1.0.0'].dist.tarball.replace(`${scene.url}/api/v4`, ''))).bytes
    const digest = manager.digest(archive)
    if (digest !== undefined) assert.ok((await readFile(join(cwd, manager.lock), 'utf8')).includes(digest))

    await rm(join(cwd, 'node_modules'), { recursive: true })
    await run(cwd, ...manager.frozen)
    assert.equal(await says('thing'), "module.exports = '1.0.0'\n")

    const next = await folder(reporter.token, { ...consumer, dependencies: { '@team/thing': 'next' } })
    await run(next, ...manager.install)
    assert.equal(await readFile(join(next, 'node_modules/@team/thing/index.js'), 'utf8'), "module.exports = '2.0.0-rc.1'\n")

    const outsider = await scene.user()
    const refused = await attempt(await folder(outsider.token, consumer), ...manager.install)
    assert.notEqual(refused.code, 0)
    assert.match(refused.stdout + refused.stderr, /404|not found/i)
  })
}
