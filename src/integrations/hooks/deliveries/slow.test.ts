/** Servers that do not answer: the background work of others goes on. */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { atEnd } from '../../../../test/at_end.ts'
import { eventually } from '../../../../test/eventually.ts'
import { openScene } from '../../../../test/scene.ts'
import { playground } from '../../../ci/pipelines/scene.ts'
import { addHookTo, openReceiver } from '../scene.ts'

const scene = await openScene({ settings: { outboundAllow: '127.0.0.1' } })
const { pipelineOf } = await playground(scene)

test('hooks of one user that are not answered leave workers for pipelines and hooks of others', async () => {
  const slow = await scene.project()
  const other = await scene.project()
  const answers: ServerResponse[] = []
  const silent = await openReceiver((_request, response) => void answers.push(response))
  atEnd(async () => {
    for (const response of answers) response.end()
  })
  const receiver = await openReceiver()
  for (let count = 0; count < 6; count++) await addHookTo(slow.owner, slow.project, { url: `${silent.url}${count}`, push_events: true })
  await addHookTo(other.owner, other.project, { url: receiver.url, push_events: true })
  const push = (owner: typeof slow.owner, url: string) =>
    owner.post(`${url}/repository/commits`, {
      branch: 'main',
      commit_message: 'Begin',
      actions: [{ action: 'create', file_path: '.gitlab-ci.yml', content: 'job: {script: "true"}' }],
    })
  await push(slow.owner, slow.project.url)
  await eventually(() => silent.received.length > 0, 'a request that is not answered')

  const { body } = await push(other.owner, other.project.url)

  await pipelineOf(other.project, body.id)
  await eventually(() => receiver.received.length > 0, 'the hook of another user')
  // Of three workers.
  assert.equal(silent.received.length, 1)
})
