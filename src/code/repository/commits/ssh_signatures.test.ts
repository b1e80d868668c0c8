/** Signatures of SSH, and those that git itself makes. */
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { testFolder } from '../../../../test/folder.ts'
import { openScene } from '../../../../test/scene.ts'
import { commitSigned, newSshPair, type SignedCommitOptions, type SshPair, securityKey } from '../../../identity/signatures/scene.ts'

const scene = await openScene()
const execute = promisify(execFile)

async function world() {
  const { project, owner } = await scene.project()
  await scene.commit(project, { 'README.md': '# A\n' })
  const repository = scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })
  const of = (id: string) => owner.get(`${project.url}/repository/commits/${id}/signature`)
  const made = async (signature: Parameters<typeof commitSigned>[1], options: Partial<SignedCommitOptions> = {}) =>
    of(await commitSigned(repository, signature, { email: owner.email, ...options }))
  const add = async ({ publicKey }: Pick<SshPair, 'publicKey'>, more: object = {}, person = owner) => {
    const added = await person.post('/user/keys', { title: 'Laptop', key: publicKey, ...more })
    assert.equal(added.status, 201, JSON.stringify(added.body))
    return added.body
  }
  return { project, owner, repository, of, made, add }
}

const statusOf = (answer: { body: { verification_status: string } }) => answer.body.verification_status

test('a commit that its committer signed by SSH is verified, and says by which key', async () => {
  const { made, add } = await world()
  const pair = await newSshPair()
  const { id, title, key, created_at, expires_at } = await add(pair)

  assert.deepEqual(await made(pair.sign), {
    status: 200,
    body: {
      signature_type: 'SSH',
      verification_status: 'verified',
      commit_source: 'gitaly',
      key: { id, title, key, created_at, expires_at, usage_type: 'auth_and_signing' },
    },
  })
})

test('keys of RSA and of all curves sign', async () => {
  const { made, add } = await world()
  for (const args of [['-t', 'rsa', '-b', '2048'], ...['256', '384', '521'].map(bits => ['-t', 'ecdsa', '-b', bits])]) {
    const pair = await newSshPair(args)
    await add(pair)
    assert.equal(statusOf(await made(pair.sign)), 'verified', args.join(' '))
    assert.equal(statusOf(await made(payload => pair.sign(payload, { hash: 'sha256' }))), 'verified', args.join(' '))
  }
})

test('a security key signs if it was touched', async () => {
  const { made, add } = await world()
  for (const kind of ['ed25519', 'ecdsa'] as const) {
    const pair = securityKey(kind)
    await add(pair)
    assert.equal(statusOf(await made(payload => pair.sign(payload, 0x01))), 'verified', kind)
    assert.equal(statusOf(await made(payload => pair.sign(payload, 0x00))), 'unverified', kind)
    assert.equal(statusOf(await made(payload => pair.sign(Buffer.concat([payload, Buffer.from('x')]), 0x01))), 'unverified', kind)
  }
})

test('another payload, another namespace and SHA-1 are not verified', async () => {
  const { made, add } = await world()
  const [pair, rsa] = [await newSshPair(), await newSshPair(['-t', 'rsa', '-b', '2048'])]
  await add(pair)
  await add(rsa)

  assert.equal(statusOf(await made(pair.sign, { forge: payload => payload.replace('Signed', 'Forged') })), 'unverified')
  assert.equal(statusOf(await made(payload => pair.sign(payload, { namespace: 'file' }))), 'unverified')
  assert.equal(statusOf(await made(payload => rsa.signBySha1(payload))), 'unverified')
})

test('the committer must be who has the key, and the key one that a user has', async () => {
  const { project, owner, made, add } = await world()
  const other = await scene.user()
  const [foreign, own, deploy] = [await newSshPair(), await newSshPair(), await newSshPair()]
  await add(foreign, {}, other)
  await add(own)
  await owner.post(`${project.url}/deploy_keys`, { title: 'Machine', key: deploy.publicKey })
  const unconfirmed = `new.${owner.username}@example.com`
  await owner.post('/user/emails', { email: unconfirmed })

  assert.equal(statusOf(await made(foreign.sign)), 'other_user')
  assert.equal(statusOf(await made(own.sign, { email: unconfirmed })), 'other_user')
  assert.deepEqual((await made(deploy.sign)).body, {
    signature_type: 'SSH',
    verification_status: 'unknown_key',
    commit_source: 'gitaly',
    key: null,
  })
})

test('a key counts until it is removed or its account is blocked, and for what was committed before it expired', async () => {
  const { of, made, add, repository } = await world()
  const other = await scene.user()
  const [pair, ending] = [await newSshPair(), await newSshPair()]
  const { id } = await add(pair, {}, other)
  const commit = await commitSigned(repository, pair.sign, { email: other.email })
  const end = Date.now() + 86_400_000
  await add(ending, { expires_at: new Date(end).toISOString() }, other)
  const seconds = Math.floor(end / 1000)

  assert.equal(statusOf(await made(ending.sign, { email: other.email, at: seconds - 60 })), 'verified')
  assert.equal(statusOf(await made(ending.sign, { email: other.email, at: seconds + 60 })), 'unverified')
  assert.equal(statusOf(await of(commit)), 'verified')
  await scene.root.post(`/users/${other.id}/block`)
  assert.equal(statusOf(await of(commit)), 'unverified_key')
  await scene.root.post(`/users/${other.id}/unblock`)
  assert.equal(statusOf(await of(commit)), 'verified')
  await other.delete(`/user/keys/${id}`)
  assert.equal(statusOf(await of(commit)), 'unknown_key')
})

const environment = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  LC_ALL: 'C.UTF-8',
}

/** A commit that git makes and signs itself, pushed to the project; the arguments are its settings. */
async function committedByGit(url: string, email: string, settings: readonly string[], more: Record<string, string> = {}) {
  const folder = await testFolder()
  const flags = ['user.name=Ada', `user.email=${email}`, ...settings].flatMap(setting => ['-c', setting])
  // Not at one stretch: the server that is pushed to is in this process.
  const run = async (...args: string[]) =>
    (await execute('git', [...flags, ...args], { cwd: folder, env: { ...environment, ...more } })).stdout
  await run('init', '-q', '-b', 'signed')
  await run('commit', '-q', '-S', '--allow-empty', '-m', 'By git')
  await run('tag', '-s', 'v1', '-m', 'Signed tag')
  await run('push', '-q', url, 'signed', 'v1')
  return (await run('rev-parse', 'HEAD')).trim()
}

test('what git signs with a key of SSH is verified', async () => {
  const { project, owner, of, add } = await world()
  const pair = await newSshPair()
  await add(pair)
  const url = scene.url.replace('//', `//${owner.username}:${owner.token}@`)
  const settings = ['gpg.format=ssh', `user.signingkey=${pair.file}`]

  const id = await committedByGit(`${url}/${project.full_path}.git`, owner.email, settings)

  assert.equal(statusOf(await of(id)), 'verified')
  const tags = `${project.url}/repository/tags`
  const ofTag = await owner.get(`${tags}/v1/signature`)
  assert.deepEqual([ofTag.status, ofTag.body.signature_type, statusOf(ofTag)], [200, 'SSH', 'verified'])
  // Neither a tag without a signature has one, nor the name of a commit that is signed.
  for (const [name, attributes] of [
    ['annotated', { message: 'Not signed' }],
    ['light', {}],
  ] as const) {
    await owner.post(tags, { tag_name: name, ref: 'signed', ...attributes })
    const answer = await owner.get(`${tags}/${name}/signature`)
    assert.deepEqual([answer.status, answer.body], [404, { message: '404 Signature Not Found' }])
  }
  assert.equal((await owner.get(`${tags}/none/signature`)).status, 404)
})

const hasGpg = (() => {
  try {
    execFileSync('gpg', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

test('what git signs by GnuPG is verified', { skip: !hasGpg && 'GnuPG is not installed' }, async () => {
  const { project, owner, of } = await world()
  const home = await testFolder()
  const gpg = (...args: string[]) =>
    execFileSync('gpg', ['--homedir', home, '--batch', '--pinentry-mode', 'loopback', '--passphrase', '', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  try {
    gpg('--quick-generate-key', `Ada <${owner.email}>`, 'default', 'default', '1y')
    const key = gpg('--armor', '--export')
    assert.equal((await owner.post('/user/gpg_keys', { key })).status, 201)
    const url = scene.url.replace('//', `//${owner.username}:${owner.token}@`)

    const id = await committedByGit(`${url}/${project.full_path}.git`, owner.email, [`user.signingkey=${owner.email}`], { GNUPGHOME: home })

    assert.equal(statusOf(await of(id)), 'verified')
  } finally {
    execFileSync('gpgconf', ['--homedir', home, '--kill', 'all'], { stdio: 'ignore' })
  }
})
