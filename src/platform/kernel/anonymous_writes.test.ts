/** No write runs without credentials unless its declaration says so. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { endpoints } from '../../server/endpoints.ts'
import { openToAnonymous } from '../access/abilities.ts'

const scene = await openScene()

/** Writes that callers without credentials may ask for, and what proves who they are instead. May only shrink. */
const open: Readonly<Record<string, string>> = {
  'POST /users/sign_in': 'the password',
  'POST /users/auth/:provider': 'nothing: the browser is sent to the provider, so many a minute, and what comes back from there proves it',
  'POST /users/auth/:provider/callback': 'the signature of the provider',
  'POST /users/auth/:provider/logout': 'the signature of the provider',
  'POST /users/sign_up':
    'nothing: people make accounts of their own where the instance allows it, so many a minute, and an administrator approves them',
  'POST /users/password/new':
    'nothing: a mail goes to the owner of the address and to nobody else, so many a minute, and the answer is always the same',
  'POST /users/password/edit': 'the secret of the link that was sent by mail',
  'POST /users/confirmation/new':
    'nothing: a mail goes to the address and to nobody else, so many a minute, and the answer is always the same',
  'POST /users/confirmation': 'the secret of the link that was sent by mail',
  'POST /users/passkeys': 'the passkey',
  'POST /users/two_factor': 'the sign-in that waits in this browser, and the code',
  'POST /users/two_factor/key': 'the sign-in that waits in this browser, and the security key',
  'POST /users/unlock/new':
    'nothing: a mail goes to the owner of the address and to nobody else, so many a minute, and the answer is always the same',
  'POST /users/unlock': 'the signature in the link that was sent by mail',
  'POST /-/invites/:invite_token/decline': 'the secret of the link that was sent by mail',
  'POST /-/sent_notifications/:notification_token/unsubscribe':
    'the signature of the link that was sent by mail: it unsubscribes, and does nothing else',
  'POST /-/incoming_mail': 'the token of the mail service',
  'POST /users/sign_out': 'nothing: without a session nothing ends',
  'DELETE /users/sign_out': 'nothing: without a session nothing ends',
  'POST /-/broadcast_messages/:id/dismiss': 'nothing: the browser of the reader is asked to remember it, and nothing is kept here',
  'POST /oauth/token': 'the grant, or the secret of the client',
  'POST /oauth/introspect': 'the secret of the client',
  'POST /oauth/authorize_device': 'the client, which gets a code that opens nothing until a user agrees',
  'POST /oauth/userinfo': 'the access token',
  'POST /oauth/revoke': 'the token itself, or the secret of the client',
  'POST /graphql': 'nothing: a query reads what is public, and a mutation asks for a user',
  'POST /markdown': 'nothing: a text becomes HTML, and nothing is kept',
  'POST /projects/:id/trigger/pipeline': 'the trigger token',
  'POST /projects/:id/ref/:ref/trigger/pipeline': 'the trigger token',
  'POST /feature_flags/unleash/:project_id/client/register': 'the instance ID of the project',
  'POST /feature_flags/unleash/:project_id/client/metrics': 'the instance ID of the project',
  'POST /:repository_path/git-upload-pack': 'nothing: a fetch from a public project',
  'POST /-/repositories/:side_path/git-upload-pack': 'nothing: a fetch from the wiki of a public project',
  'POST /:repository_path/info/lfs/objects/batch': 'nothing: a download from a public project',
  'POST /runners': 'the registration token',
  'POST /runners/verify': 'the token of the runner',
  'POST /runners/reset_authentication_token': 'the token of the runner',
  'DELETE /runners': 'the token of the runner',
  'POST /jobs/request': 'the token of the runner',
  'PUT /jobs/:id': 'the token of the job',
  'PATCH /jobs/:id/trace': 'the token of the job',
  'POST /jobs/:id/artifacts': 'the token of the job',
  'POST /jobs/:id/artifacts/authorize': 'the token of the job',
}

test('the writes that are open without credentials are these', () => {
  const declared = endpoints.filter(({ method, anonymous }) => method !== 'GET' && anonymous === true)
  assert.deepEqual(declared.map(({ route }) => route).sort(), Object.keys(open).sort())
  for (const { route, can } of declared)
    assert.ok(openToAnonymous(can), `${route} says \`anonymous\`, but its ability is open to nobody without credentials`)
})

test('a write to something public answers 401 without credentials, whatever the ability is open to', async () => {
  const { project } = await scene.project({ visibility: 'public' })
  await scene.commit(project, { 'a.txt': 'a\n' })
  const { url } = await scene.mergeRequest(project)

  for (const [method, path] of [
    ['put', 'rebase'],
    ['put', 'merge'],
    ['post', 'cancel_merge_when_pipeline_succeeds'],
    ['post', 'approve'],
    ['post', 'unapprove'],
  ] as const)
    assert.deepEqual(await scene.anonymous[method](`${url}/${path}`), { status: 401, body: { message: '401 Unauthorized' } }, path)
})

test('a public project is fetched without credentials as before', async () => {
  const { project } = await scene.project({ visibility: 'public' })
  await scene.commit(project, { 'a.txt': 'a\n' })

  const { status } = await fetch(
    `${scene.url}/${(await scene.root.get(project.url)).body.path_with_namespace}.git/info/refs?service=git-upload-pack`,
  )
  const html = await scene.anonymous.post('/markdown', { text: '*bold*' })

  assert.deepEqual([status, html.status], [200, 201])
})
