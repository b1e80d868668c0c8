/** The real `composer` with the packages of a group: a tag and a branch are published, and installed with their dependency. */
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { commitFiles } from '../../src/code/repository/scene.ts'
import { openScene } from '../scene.ts'
import { openWorkbench } from './workbench.ts'

const scene = await openScene()
const workbench = await openWorkbench()
const skip = (await workbench.has('composer', ['--version'])) ? false : 'composer is not installed on this machine'

test('composer installs published versions with a token, and nothing without one', { skip }, async () => {
  const { group, owner } = await scene.group()
  const [base, thing] = [await scene.project({ group, owner }), await scene.project({ group, owner })]
  const publish = async ({ project }: typeof base, json: object, body: { tag: string } | { branch: string }) => {
    await commitFiles(owner, project, { 'composer.json': JSON.stringify(json), 'says.php': '<?php return 7;\n' })
    if ('tag' in body) assert.equal((await owner.post(`${project.url}/repository/tags`, { tag_name: body.tag, ref: 'main' })).status, 201)
    assert.equal((await owner.post(`${project.url}/packages/composer`, body)).status, 201)
  }
  await publish(base, { name: 'team/base' }, { tag: 'v1.0.0' })
  await publish(thing, { name: 'team/thing', require: { 'team/base': '^1.0' } }, { tag: 'v1.0.0' })
  await publish(thing, { name: 'team/thing', require: { 'team/base': '^1.0' }, description: 'Newer' }, { branch: 'main' })

  const token = (await owner.post(`${group.url}/deploy_tokens`, { name: 'composer', scopes: ['read_package_registry'] })).body
  const { host } = new URL(scene.url)
  const auth = (password: string) => JSON.stringify({ 'http-basic': { [host]: { username: token.username, password } } })
  const repository = { type: 'composer', url: `${scene.url}/api/v4/group/${group.id}/-/packages/composer/packages.json` }
  const install = async (version: string, password: string) => {
    const cwd = join(workbench.directory, `app-${version}-${password.length}`)
    await mkdir(cwd)
    const json = { repositories: [repository, { packagist: false }], require: { 'team/thing': version }, config: { 'secure-http': false } }
    await writeFile(join(cwd, 'composer.json'), JSON.stringify(json))
    const env = { COMPOSER_AUTH: auth(password), COMPOSER_ALLOW_SUPERUSER: '1', COMPOSER_NO_INTERACTION: '1', COMPOSER_HOME: cwd }
    const outcome = await workbench.attempt('composer', ['install', '--no-progress', '--prefer-dist'], { cwd, env })
    return { ...outcome, read: (path: string) => readFile(join(cwd, 'vendor', path), 'utf8') }
  }
  const installed = await install('1.0.0', token.token)
  assert.equal(installed.code, 0, installed.stdout + installed.stderr)
  assert.match(await installed.read('team/base/says.php'), /return 7/)
  assert.equal(JSON.parse(await installed.read('team/thing/composer.json')).description, undefined)
  const branch = await install('dev-main', token.token)
  assert.equal(branch.code, 0, branch.stdout + branch.stderr)
  assert.equal(JSON.parse(await branch.read('team/thing/composer.json')).description, 'Newer')
  const refused = await install('1.0.0', 'wrong')
  assert.notEqual(refused.code, 0)
  assert.match(refused.stderr, /401/)
})
