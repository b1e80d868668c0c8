/**
 * The real programs of Debian: `dpkg-buildpackage` and `dpkg-deb` make packages, `dput` uploads them, `apt-get` verifies the signatures and downloads
 * what it would install, with a configuration of its own. Nothing is installed.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { runningJob } from '../../src/ci/jobs/scene.ts'
import { withDistribution } from '../../src/delivery/packages/protocols/debian/scene.ts'
import { openScene, type Person, type SceneProject } from '../scene.ts'
import { openWorkbench } from './workbench.ts'

const scene = await openScene()
const workbench = await openWorkbench()

const programs = [
  ['apt-get', '--version'],
  ['dpkg-buildpackage', '--version'],
  ['dpkg-deb', '--version'],
  ['make', '--version'],
  ['dput', '--version'],
  ['gpgv', '--version'],
  ['setsid', '--version'],
] as const
const found = await Promise.all(programs.map(([program, version]) => workbench.has(program, [version])))
const skip = found.every(Boolean) ? false : 'apt, dpkg-dev, make, dput or gpgv is not installed on this machine'
const architecture = skip ? '' : (await workbench.run('dpkg', ['--print-architecture'])).trim()

let made = 0

const newFolder = async (name: string) => {
  const folder = join(workbench.directory, `${name}-${++made}`)
  await mkdir(folder, { recursive: true })
  return folder
}

/** More than what is on its way before a server answers. */
const noise = randomBytes(8_000_000)

interface Versions {
  readonly upstream: string
  readonly revision: string
}

const rules = `#!/usr/bin/make -f
build build-arch build-indep clean:
binary binary-arch binary-indep:
	mkdir -p debian/thing/DEBIAN debian/thing/usr/share/thing
	cp words debian/thing/usr/share/thing/
	dpkg-gencontrol -pthing -Pdebian/thing
	dpkg-deb --root-owner-group --build debian/thing ..
`

/** Builds a source package and its binary package; gives the folder with their files. */
async function build({ upstream, revision }: Versions): Promise<string> {
  const folder = await newFolder('build')
  const source = join(folder, `thing-${upstream}`)
  await mkdir(join(source, 'debian/source'), { recursive: true })
  await writeFile(join(source, 'words'), 'The words of the thing.\n')
  await writeFile(join(source, 'noise'), noise)
  // The same archive each time, as it comes from the authors of the program.
  const tar = ['--sort=name', '--owner=0', '--group=0', '--mtime=@0', '--use-compress-program=gzip -n']
  await workbench.run('tar', [...tar, '-cf', `thing_${upstream}.orig.tar.gz`, '--exclude=debian', `thing-${upstream}`], { cwd: folder })
  const files = {
    'debian/rules': rules,
    'debian/source/format': '3.0 (quilt)\n',
    'debian/changelog': `thing (${upstream}-${revision}) unstable; urgency=low\n\n  * A change.\n\n -- Team <team@example.com>  Thu, 01 Jan 2026 00:00:00 +0000\n`,
    'debian/control': `Source: thing\nSection: utils\nPriority: optional\nMaintainer: Team <team@example.com>\nStandards-Version: 4.6.2\nRules-Requires-Root: no\n\nPackage: thing\nArchitecture: any\nDescription: A thing\n It has words.\n`,
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(source, name), content, { mode: 0o755 })
  await workbench.run('dpkg-buildpackage', ['--no-sign', '--no-check-builddeps'], { cwd: source })
  return folder
}

/** Makes one binary package by `dpkg-deb`, compressed in this way. */
async function binary(name: string, version: string, compression: string, control = ''): Promise<string> {
  const folder = await newFolder('deb')
  await mkdir(join(folder, 'root/DEBIAN'), { recursive: true })
  await writeFile(
    join(folder, 'root/DEBIAN/control'),
    `Package: ${name}\nVersion: ${version}\nArchitecture: ${architecture}\nMaintainer: Team <team@example.com>\nDescription: ${name}\n${control}`,
  )
  const file = join(folder, `${name}_${version.replace(/^\d+:/, '')}_${architecture}.deb`)
  await workbench.run('dpkg-deb', [`-Z${compression}`, '--root-owner-group', '--build', 'root', file], { cwd: folder })
  return file
}

const debianProject = (options: Parameters<typeof scene.project>[0] = {}) =>
  withDistribution(scene, options, { architectures: [architecture] })

/** Uploads what a `.changes` names. */
async function dput(folder: string, { project, username, password }: { project: SceneProject; username: string; password: string }) {
  const changes = (await readdir(folder)).find(name => name.endsWith('.changes')) as string
  const config = join(folder, 'dput.cf')
  const lines = ['[ingot]', 'method = http', `fqdn = ${new URL(scene.url).host}`, `login = ${username}`]
  await writeFile(config, [...lines, `incoming = /api/v4${project.url}/packages/debian`, 'allow_unsigned_uploads = 1', ''].join('\n'))
  // It asks for the password where it has a terminal, and reads it from its input where it has none.
  return workbench.attempt('setsid', ['--wait', 'dput', '--config', config, '--unchecked', 'ingot', changes], {
    cwd: folder,
    input: `${password}\n`,
  })
}

interface Access {
  /** The address below the API that `dists` and `pool` are in. */
  readonly path: string
  /** The armoured public key that signatures are verified with. */
  readonly key: string
  readonly username?: string
  readonly password?: string
}

/** An `apt-get` that knows one repository and has no packages installed. */
async function aptOf({ path, key, username, password }: Access) {
  const root = await newFolder('apt')
  for (const folder of [
    'etc',
    'etc/apt.conf.d',
    'etc/preferences.d',
    'etc/trusted.gpg.d',
    'state/lists/partial',
    'cache/archives/partial',
    'down',
  ])
    await mkdir(join(root, folder), { recursive: true })
  await writeFile(join(root, 'key.asc'), key)
  await writeFile(join(root, 'status'), '')
  const repository = `[signed-by=${root}/key.asc] ${scene.url}/api/v4${path} sid main`
  await writeFile(join(root, 'etc/sources.list'), `deb ${repository}\ndeb-src ${repository}\n`)
  const auth = username === undefined ? '' : `machine ${scene.url} login ${username} password ${password}\n`
  await writeFile(join(root, 'etc/auth.conf'), auth, { mode: 0o600 })
  const options = {
    'Dir::Etc': join(root, 'etc'),
    'Dir::State': join(root, 'state'),
    'Dir::State::status': join(root, 'status'),
    'Dir::Cache': join(root, 'cache'),
    'Dir::Log': root,
    'APT::Sandbox::User': 'root',
    'APT::Get::List-Cleanup': '0',
    'Acquire::Languages': 'none',
    'Acquire::http::Proxy': 'DIRECT',
    'Acquire::Retries': '0',
    'DPkg::Lock::Timeout': '0',
    'Debug::NoLocking': '1',
  }
  const flags = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  return {
    down: join(root, 'down'),
    archives: join(root, 'cache/archives'),
    run: (...args: string[]) => workbench.attempt('apt-get', [...flags, ...args], { cwd: join(root, 'down') }),
  }
}

const keyOf = async (owner: Person, project: SceneProject) =>
  (await owner.get(`${project.url}/debian_distributions/sid/key.asc`)).body as string

const assertWorks = ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => assert.equal(code, 0, stdout + stderr)

test('dput uploads what dpkg-buildpackage made; apt-get updates, downloads, and unpacks the source', { skip }, async () => {
  const { project, owner } = await debianProject()
  const [first, second] = [await build({ upstream: '1.0', revision: '1' }), await build({ upstream: '1.0', revision: '2' })]
  assertWorks(await dput(first, { project, username: owner.username, password: owner.token }))
  // The second revision comes without the archive of the authors.
  assertWorks(await dput(second, { project, username: owner.username, password: owner.token }))
  const refused = await dput(await build({ upstream: '2.0', revision: '1' }), { project, username: owner.username, password: 'wrong' })
  assert.notEqual(refused.code, 0)
  assert.deepEqual(
    (await owner.get(`${project.url}/packages`)).body.map((row: { name: string; version: string }) => `${row.name} ${row.version}`),
    ['thing 1.0-1', 'thing 1.0-2'],
  )

  const access = {
    path: `${project.url}/packages/debian`,
    key: await keyOf(owner, project),
    username: owner.username,
    password: owner.token,
  }
  const apt = await aptOf(access)
  assertWorks(await apt.run('update', '--error-on=any'))
  assertWorks(await apt.run('install', '--download-only', '--yes', 'thing'))
  const file = `thing_1.0-2_${architecture}.deb`
  const bytes = await readFile(join(apt.archives, file))
  assert.ok(bytes.equals(await readFile(join(second, file))))
  assertWorks(await apt.run('download', 'thing=1.0-1'))
  assertWorks(await apt.run('source', '--only-source', 'thing=1.0-2'))
  assert.equal(await readFile(join(apt.down, 'thing-1.0/words'), 'utf8'), 'The words of the thing.\n')
  assert.match(await workbench.run('dpkg-deb', ['--contents', join(apt.archives, file)]), /usr\/share\/thing\/words/)
})

test('packages of all compressions of dpkg-deb, with a token of a deployment or of a job', { skip }, async () => {
  const { project, owner } = await debianProject()
  const job = await runningJob(scene, project, owner)
  for (const compression of ['gzip', 'xz', 'zstd', 'none']) {
    const file = await binary(`by-${compression}`, '1.0', compression)
    const url = `${scene.url}/api/v4${project.url}/packages/debian/${file.slice(file.lastIndexOf('/') + 1)}?distribution=sid&component=main`
    const args = ['--silent', '--show-error', '--fail-with-body', '--user', `gitlab-ci-token:${job.token}`, '--upload-file', file, url]
    assert.equal(await workbench.run('curl', args), '{"message":"201 Created"}')
  }
  const token = (await owner.post(`${project.url}/deploy_tokens`, { name: 'apt', scopes: ['read_package_registry'] })).body
  const access = { path: `${project.url}/packages/debian`, key: await keyOf(owner, project) }
  for (const [username, password] of [[token.username, token.token] as const, ['gitlab-ci-token', job.token] as const]) {
    const apt = await aptOf({ ...access, username, password })
    assertWorks(await apt.run('update', '--error-on=any'))
    assertWorks(await apt.run('install', '--download-only', '--yes', 'by-gzip', 'by-xz', 'by-zstd', 'by-none'))
    assert.equal((await readdir(apt.archives)).filter(name => name.endsWith('.deb')).length, 4)
  }
})

test('apt-get finds nothing without credentials, and believes no other key', { skip }, async () => {
  const { project, owner } = await debianProject()
  const other = await debianProject()
  const access = { path: `${project.url}/packages/debian`, username: owner.username, password: owner.token }
  const key = await keyOf(owner, project)
  const anonymous = await (await aptOf({ path: access.path, key })).run('update', '--error-on=any')
  assert.notEqual(anonymous.code, 0)
  assert.match(anonymous.stderr, /401/)
  const stranger = await scene.user()
  const invisible = await (await aptOf({ ...access, key, username: stranger.username, password: stranger.token })).run(
    'update',
    '--error-on=any',
  )
  assert.notEqual(invisible.code, 0)
  assert.match(invisible.stderr, /does not have a Release file/)
  const forged = await (await aptOf({ ...access, key: await keyOf(other.owner, other.project) })).run('update', '--error-on=any')
  assert.notEqual(forged.code, 0)
  assert.match(forged.stderr, /NO_PUBKEY|public key is not available/)
})

test('apt-get reads the distribution of a group', { skip }, async () => {
  const { group, owner } = await scene.group()
  const { project } = await debianProject({ group, owner })
  const file = await binary('of-group', '1:2.0~rc1', 'xz')
  const name = file.slice(file.lastIndexOf('/') + 1)
  const { status } = await owner.put(`${project.url}/packages/debian/${name}?distribution=sid&component=main`, await readFile(file))
  assert.equal(status, 201)
  await owner.post(`${group.url}/-/debian_distributions`, { codename: 'sid', architectures: [architecture] })
  const key = (await owner.get(`${group.url}/-/debian_distributions/sid/key.asc`)).body
  const apt = await aptOf({ path: `${group.url}/-/packages/debian`, key, username: owner.username, password: owner.token })
  assertWorks(await apt.run('update', '--error-on=any'))
  assertWorks(await apt.run('download', 'of-group'))
  assert.deepEqual(await readdir(apt.down), [`of-group_1%3a2.0~rc1_${architecture}.deb`])
})
