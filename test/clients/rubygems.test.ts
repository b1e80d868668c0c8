/** The real `gem` and `bundle` with the registry of a project: publish, list, install with what is needed, withdraw. */
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { runningJob } from '../../src/ci/jobs/scene.ts'
import { openScene, type SceneProject } from '../scene.ts'
import { openWorkbench } from './workbench.ts'

const scene = await openScene()
const workbench = await openWorkbench()
const skip = (await workbench.has('gem', ['--version'])) ? false : 'gem is not installed on this machine'
const skipBundler = (await workbench.has('bundle', ['--version'])) ? skip : 'bundler is not installed on this machine'

let folders = 0

async function folder(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const path = join(workbench.directory, `gems-${++folders}`)
  await mkdir(path)
  for (const [name, content] of Object.entries(files)) await writeFile(join(path, name), content)
  return path
}

const hostOf = (project: SceneProject) => `${scene.url}/api/v4/projects/${project.id}/packages/rubygems`

/** The address that installs with a token. */
const sourceOf = (project: SceneProject, token: string, username = 'any') =>
  `${hostOf(project).replace('://', `://${encodeURIComponent(username)}:${token}@`)}/`

/** The path of a gem with one file that says its version. */
async function build(name: string, version: string, more = ''): Promise<string> {
  const gemspec = `Gem::Specification.new do |s|
  s.name = '${name}'
  s.version = '${version}'
  s.summary = 'Of a test, with an “ü”'
  s.description = "Two\\nlines"
  s.authors = ['Ann', 'Ben']
  s.email = 'ann@example.com'
  s.homepage = 'http://example.com/'
  s.license = 'MIT'
  s.metadata = { 'source_code_uri' => 'http://example.com/code' }
  s.files = ['lib/${name}.rb']
  s.required_ruby_version = '>= 2.5', '< 9'
  ${more}
end
`
  const cwd = await folder({ [`${name}.gemspec`]: gemspec })
  await mkdir(join(cwd, 'lib'))
  await writeFile(join(cwd, `lib/${name}.rb`), `SAYS = '${version}'\n`)
  await workbench.run('gem', ['build', `${name}.gemspec`, '--output', 'built.gem'], { cwd })
  return join(cwd, 'built.gem')
}

/** Runs `gem` with a home of its own, which installed gems go to. */
const gemIn = (home: string, ...args: string[]) =>
  workbench.attempt('gem', args, { cwd: home, env: { GEM_HOME: join(home, 'gems'), GEM_PATH: join(home, 'gems') } })

const push = (file: string, project: SceneProject, token: string) =>
  workbench.attempt('gem', ['push', file, '--host', hostOf(project)], { env: { GEM_HOST_API_KEY: token } })

async function pushAll(files: readonly string[], project: SceneProject, token: string): Promise<void> {
  for (const file of files) {
    const { code, stdout, stderr } = await push(file, project, token)
    assert.equal(code, 0, stdout + stderr)
  }
}

const installed = async (home: string) => {
  const { stdout } = await gemIn(home, 'list', '--local')
  return stdout.split('\n').filter(line => /^(thing|base|tool) /.test(line))
}

test('gems are pushed, listed, installed with their dependencies, as pre-releases and for platforms, and yanked', { skip }, async () => {
  const { project, owner, maintainer, reporter } = await scene.project({ members: ['maintainer', 'reporter'] })
  await pushAll(
    [
      await build('base', '1.0.0'),
      await build('base', '1.10.0'),
      await build('base', '2.0.0'),
      await build('thing', '1.0.0', "s.add_dependency 'base', '~> 1.0', '>= 1.0.1'; s.add_development_dependency 'rake', '>= 0'"),
      await build('thing', '1.1.0.rc1', "s.add_dependency 'base', '>= 2'"),
      await build('tool', '1.0.0'),
      await build('tool', '1.0.0', "s.platform = 'x86_64-linux'"),
      await build('tool', '1.0.0', "s.platform = 'java'"),
    ],
    project,
    owner.token,
  )
  const again = await push(await build('base', '1.0.0', "s.add_dependency 'other'"), project, owner.token)
  assert.notEqual(again.code, 0)
  assert.match(again.stdout, /Repushing of gem versions is not allowed/)
  assert.notEqual((await push(await build('more', '1.0.0'), project, reporter.token)).code, 0)

  const source = sourceOf(project, reporter.token)
  const home = await folder()
  const list = async (...args: string[]) => {
    const { code, stdout, stderr } = await gemIn(home, 'list', '--remote', '--clear-sources', '--source', source, ...args)
    assert.equal(code, 0, stderr)
    return stdout.split('\n').filter(line => /^\w+ \(/.test(line))
  }
  assert.deepEqual(await list(), ['base (2.0.0)', 'thing (1.0.0)', 'tool (1.0.0 ruby java x86_64-linux)'])
  assert.deepEqual(await list('--all', '--prerelease', 'thing'), ['thing (1.1.0.rc1, 1.0.0)'])
  assert.deepEqual(await list('--all', 'base'), ['base (2.0.0, 1.10.0, 1.0.0)'])

  const shown = await gemIn(home, 'specification', 'thing', '--remote', '--clear-sources', '--source', source, '--yaml')
  assert.equal(shown.code, 0, shown.stderr)
  assert.match(shown.stdout, /summary: Of a test, with an “ü”/)
  assert.match(shown.stdout, /source_code_uri: http:\/\/example\.com\/code/)
  assert.match(shown.stdout, /name: rake.*type: :development/s)

  const install = async (...args: string[]) => {
    const outcome = await gemIn(home, 'install', '--no-document', '--clear-sources', '--source', source, ...args)
    assert.equal(outcome.code, 0, outcome.stdout + outcome.stderr)
  }
  await install('thing')
  assert.deepEqual(await installed(home), ['base (1.10.0)', 'thing (1.0.0)'])
  assert.equal(await readFile(join(home, 'gems/gems/base-1.10.0/lib/base.rb'), 'utf8'), "SAYS = '1.10.0'\n")
  await install('thing', '--prerelease')
  assert.deepEqual(await installed(home), ['base (2.0.0, 1.10.0)', 'thing (1.1.0.rc1, 1.0.0)'])
  await install('tool', '--platform', 'java')
  assert.deepEqual(await installed(home), ['base (2.0.0, 1.10.0)', 'thing (1.1.0.rc1, 1.0.0)', 'tool (1.0.0 java)'])

  const yank = (token: string, ...args: string[]) =>
    workbench.attempt('gem', ['yank', ...args, '--host', hostOf(project)], { env: { GEM_HOST_API_KEY: token } })
  assert.match((await yank(reporter.token, 'base', '--version', '2.0.0')).stdout, /403|Forbidden/)
  await yank(maintainer.token, 'base', '--version', '2.0.0')
  await yank(maintainer.token, 'tool', '--version', '1.0.0', '--platform', 'java')
  assert.deepEqual(await list(), ['base (1.10.0)', 'thing (1.0.0)', 'tool (1.0.0 ruby x86_64-linux)'])
})

test('a job publishes and a deploy token installs; to others the gems do not exist', { skip }, async () => {
  const { project, owner } = await scene.project()
  const job = await runningJob(scene, project, owner)
  await pushAll([await build('tool', '1.0.0')], project, job.token)
  const [listed] = (await owner.get(`${project.url}/packages`)).body
  assert.deepEqual([listed.package_type, listed.pipeline.id], ['rubygems', job.pipelineId])

  const token = (await owner.post(`${project.url}/deploy_tokens`, { name: 'gems', scopes: ['read_package_registry'] })).body
  const install = async (source: string) => {
    const home = await folder()
    return { ...(await gemIn(home, 'install', '--no-document', '--clear-sources', '--source', source, 'tool')), home }
  }
  for (const source of [sourceOf(project, token.token, token.username), sourceOf(project, job.token, 'gitlab-ci-token')]) {
    const { code, stderr, home } = await install(source)
    assert.equal(code, 0, stderr)
    assert.deepEqual(await installed(home), ['tool (1.0.0)'])
  }
  assert.notEqual((await push(await build('more', '1.0.0'), project, token.token)).code, 0)
  const outsider = await scene.user()
  assert.match((await install(sourceOf(project, outsider.token))).stderr, /404/)
  assert.match((await install(`${hostOf(project)}/`)).stderr, /401/)
})

test('bundler resolves and installs from the compact index, and sees what was published since', { skip: skipBundler }, async () => {
  const { project, owner } = await scene.project()
  const base = await build('base', '1.0.0')
  const thing = await build('thing', '1.0.0', "s.add_dependency 'base', '~> 1.0'")
  const java = await build('thing', '1.0.0', "s.platform = 'java'; s.add_dependency 'other'")
  await pushAll([base, thing, java], project, owner.token)
  const source = `${hostOf(project)}/`
  const cwd = await folder({ Gemfile: `source '${source}'\ngem 'thing'\n` })
  const key = `BUNDLE_${source
    .replace(/^http:/, 'HTTP:')
    .toUpperCase()
    .replaceAll('.', '__')
    .replaceAll('-', '___')}`
  const bundle = async (...args: string[]) => {
    const env = {
      BUNDLE_PATH: join(cwd, 'vendor'),
      GEM_HOME: join(cwd, 'home'),
      BUNDLE_SILENCE_ROOT_WARNING: '1',
      [key]: `any:${owner.token}`,
    }
    const outcome = await workbench.attempt('bundle', [...args, '--verbose'], { cwd, env })
    assert.equal(outcome.code, 0, outcome.stdout + outcome.stderr)
    return outcome.stdout
  }
  const said = await bundle('install')
  assert.match(said, /rubygems\/info\/base/)
  assert.doesNotMatch(said, /specs\.4\.8|api\/v1\/dependencies/)
  const lock = () => readFile(join(cwd, 'Gemfile.lock'), 'utf8')
  assert.match(await lock(), /base \(1\.0\.0\).*thing \(1\.0\.0\)\s+base \(~> 1\.0\)/s)

  await pushAll([await build('base', '1.1.0'), await build('base', '2.0.0')], project, owner.token)
  await bundle('update')
  assert.match(await lock(), /base \(1\.1\.0\)/)
  assert.match(await bundle('exec', 'ruby', '-e', "require 'base'; puts SAYS"), /1\.1\.0/)
})
