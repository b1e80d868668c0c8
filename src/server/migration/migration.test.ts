/** `ingot import` from one server into the data of another. */
import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { newDirectory, runIngot, startIngot } from '../cli/scene.ts'

const cwd = await newDirectory()
after(() => rm(cwd, { recursive: true, force: true }))
// What fails with an error of the server is in the log.
const quiet = ['--rate-limit', 'off', '--log-level', 'error']

async function made(url: string, token: string | null, path: string, body: object) {
  const headers = { 'private-token': token ?? '', 'content-type': 'application/json' }
  const answer = await fetch(`${url}/api/v4${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  assert.ok(answer.ok, `${path}: ${answer.status}`)
  return (await answer.json()) as { id: number }
}

test('a group is imported, and goes on with --resume with what has failed', async () => {
  const source = await startIngot(['--ephemeral', ...quiet], { cwd })
  try {
    const here = ['--data-dir', join(cwd, 'data'), ...quiet, '--outbound-allow', '127.0.0.1']
    const first = await startIngot(here, { cwd })
    await first.end('SIGTERM')
    const { id: namespace_id } = await made(source.url, source.token, '/groups', { name: 'Lamps', path: 'lamps' })
    await made(source.url, source.token, `/groups/${namespace_id}/labels`, { name: 'bright', color: '#ffcc00' })
    await made(source.url, source.token, '/projects', { name: 'Paper', path: 'paper', namespace_id, initialize_with_readme: true })
    await made(source.url, source.token, `/groups/${namespace_id}/hooks`, { url: 'https://example.com/hook' })
    await writeFile(join(cwd, 'token'), `${source.token}\n`)
    const args = ['import', '--from', source.url, '--token-file', join(cwd, 'token'), ...here]

    const without = await runIngot(args, { cwd })
    assert.deepEqual([without.code, without.stderr], [2, 'ingot: name what is imported: --group or --project, or --resume\n'])

    // One of the two is not there yet: it has failed, and is tried again.
    const unknown = await runIngot([...args, '--group', 'lamps', '--project', 'lamps/nothing'], { cwd })
    assert.equal(unknown.code, 1)
    assert.match(unknown.stdout, /^here {2}lamps as lamps\n {2}hooks: 1 on the other server/m)
    assert.match(unknown.stdout, /^here {2}lamps\/paper as lamps\/paper$/m, unknown.stdout + unknown.stderr)
    assert.match(unknown.stdout, /^failed {2}lamps\/nothing as nothing\n {2}project: The other server has no such project/m)
    await made(source.url, source.token, '/projects', { name: 'Nothing', path: 'nothing', namespace_id })
    const resumed = await runIngot([...args, '--resume'], { cwd })
    assert.deepEqual([resumed.code, resumed.stderr], [0, ''])
    assert.match(resumed.stdout, /^3 of 3 groups and projects are here/)
    assert.equal((resumed.stdout + unknown.stdout + resumed.stderr).includes(source.token as string), false)
  } finally {
    await source.end('SIGTERM')
  }
})
