/** Two servers of one instance behind nginx, as in the example, are stopped and started again in turn while people work: no request is lost. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { NGINX, startCluster } from '../../torture/several/cluster.ts'

/** Requests under way at a time. */
const CLIENTS = 8
/** Answers before a server is stopped, and after it has started again. */
const BETWEEN = 40

test('a rolling restart of two servers loses no request', {
  skip: existsSync(NGINX) ? false : 'nginx is not installed on this machine',
}, async t => {
  const cluster = await startCluster()
  t.after(() => cluster.close())
  const [sender] = cluster.members
  const { id } = await sender.make<{ id: number }>('/projects', { name: 'Restarts' })
  const answers = new Map<string, number>()
  let answered = 0
  let isOver = false
  sender.onAnswer = (request, status) => {
    answered += 1
    const kind = `${request.split(' ', 1)[0]} ${status}`
    answers.set(kind, (answers.get(kind) ?? 0) + 1)
  }
  const work = async (index: number) => {
    while (!isOver) {
      // A balancer may send the first again where a server goes away, the second never.
      const sent =
        index % 2 === 0 ? sender.call('GET', `/projects/${id}/issues`) : sender.call('POST', `/projects/${id}/issues`, { title: 'x' })
      await (await sent).text()
    }
  }
  const more = async () => {
    const wanted = answered + BETWEEN
    while (answered < wanted && !isOver) await new Promise(resolve => setTimeout(resolve, 10))
  }
  const working = Array.from({ length: CLIENTS }, (_, index) => work(index))
  const failed = Promise.all(working).finally(() => {
    isOver = true
  })

  const ends: unknown[] = []
  for (const member of cluster.members) {
    await more()
    ends.push((await member.stop()).code)
    await more()
    await member.start()
  }
  await more()
  isOver = true
  await failed
  sender.onAnswer = () => {}

  const lost = [...answers].filter(([kind]) => kind !== 'GET 200' && kind !== 'POST 201')
  assert.deepEqual(lost, [], (await cluster.complaints()).join('\n'))
  assert.ok(answers.get('GET 200') && answers.get('POST 201'))
  assert.deepEqual(ends, [0, 0])
  const { statistics } = await sender.get<{ statistics: { counts: { all: number } } }>(`/projects/${id}/issues_statistics`)
  assert.equal(statistics.counts.all, answers.get('POST 201'))
})
