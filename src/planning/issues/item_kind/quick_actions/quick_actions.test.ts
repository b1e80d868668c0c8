/** Quick actions in the descriptions of issues (public behaviour at 14.0; decisions 37 and 38). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openScene } from '../../../../../test/scene.ts'

const scene = await openScene()
const { group, owner } = await scene.group()
const world = await scene.project({ group, members: ['guest', 'reporter', 'maintainer'] })
const { project, guest, reporter, maintainer } = world
for (const name of ['bug', 'in review']) await maintainer.post(`${project.url}/labels`, { name, color: '#ff0000' })
const milestones = await maintainer.post(`${project.url}/milestones`, { title: 'Release 1' })

/** Creates an issue with this description, by a reporter unless given, and returns it. */
const written = async (description: string, by = reporter) => {
  const answer = await by.post(`${project.url}/issues`, { title: 'Paint the shed', description })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body
}

describe('quick actions in the description of a new issue', () => {
  const cases: readonly (readonly [action: string, field: string, value: unknown])[] = [
    ['/title Paint the barn', 'title', 'Paint the barn'],
    ['/label ~bug ~"in review" ~nothing', 'labels', ['bug', 'in review']],
    ['/labels bug', 'labels', ['bug']],
    ['/label ~bug\n/label ~"in review"\n/unlabel ~bug', 'labels', ['in review']],
    ['/label ~bug\n/relabel ~"in review"', 'labels', ['in review']],
    ['/label ~bug\n/unlabel', 'labels', []],
    ['/due 2026-12-31', 'due_date', '2026-12-31'],
    ['/due 2026-12-31\n/remove_due_date', 'due_date', null],
    ['/due when it is done', 'due_date', null],
    ['/weight 7', 'weight', 7],
    ['/weight heavy', 'weight', null],
    ['/health_status at_risk', 'health_status', 'at_risk'],
    ['/confidential', 'confidential', true],
    ['/lock', 'discussion_locked', true],
    ['/promote_to_incident', 'issue_type', 'incident'],
    ['/close', 'state', 'opened'],
    ['/shrug What now?', 'description', 'What now? ¯\\＿(ツ)＿/¯'],
    ['Text stays\n\n/weight 1', 'description', 'Text stays'],
    ['/unknown thing', 'description', '/unknown thing'],
  ]
  for (const [action, field, value] of cases) test(action, async () => assert.deepEqual((await written(action))[field], value))

  test('set people, milestone, estimate and time spent', async () => {
    const issue = await written(`/assign @${guest.username} me\n/milestone %"Release 1"\n/estimate 1d\n/spend 30m\n/subscribe`)
    assert.deepEqual(issue.assignees.map((user: { id: number }) => user.id).sort(), [guest.id, reporter.id].sort())
    assert.equal(issue.milestone.id, milestones.body.id)
    assert.deepEqual(issue.time_stats, {
      time_estimate: 28800,
      total_time_spent: 1800,
      human_time_estimate: '1d',
      human_total_time_spent: '30m',
    })
    assert.equal(issue.description, '')
  })

  for (const milestone of ['Release 1', '%"Release 1"', '"Release 1"'])
    test(`/milestone ${milestone}`, async () => assert.equal((await written(`/milestone ${milestone}`)).milestone?.id, milestones.body.id))

  test('are removed without effect for users who may not plan', async () => {
    const issue = await written('Please\n/label ~bug\n/weight 3\n/estimate 1h', guest)
    assert.deepEqual([issue.labels, issue.weight, issue.time_stats.time_estimate, issue.description], [[], null, 0, 'Please'])
  })
})

describe('quick actions in a changed description', () => {
  const changed = async (description: string, by = reporter) => {
    const { iid } = await written('/label ~bug\n/weight 3')
    const answer = await by.put(`${project.url}/issues/${iid}`, { description })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }

  test('/close', async () => assert.equal((await changed('/close')).state, 'closed'))
  test('/clear_weight', async () => assert.equal((await changed('/clear_weight')).weight, null))
  test('/unlabel ~bug', async () => assert.deepEqual((await changed('/unlabel ~bug')).labels, []))

  test('/duplicate closes it as a duplicate', async () => {
    const other = await written('The first')
    const issue = await changed(`/duplicate #${other.iid}`)
    assert.equal(issue.state, 'closed')
  })

  test('/relate links it once to issues that the caller may see', async () => {
    const other = await written('The other')
    const issue = await changed(`/relate #${other.iid} ${project.full_path}#${other.iid} #999999`)
    const links = await reporter.get(`${project.url}/issues/${issue.iid}/links`)
    assert.deepEqual(
      links.body.map((link: { iid: number }) => link.iid),
      [other.iid],
    )
  })

  test('/copy_metadata copies labels and milestone of another issue', async () => {
    const other = await written('/label ~"in review"\n/milestone %"Release 1"')
    const issue = await changed(`/copy_metadata #${other.iid}`)
    assert.deepEqual([issue.labels.sort(), issue.milestone.title], [['bug', 'in review'], 'Release 1'])
  })

  test('/clone and /move create issues in other projects', async () => {
    const { project: elsewhere } = await scene.project({ group, owner })
    const moved = await changed(`/move ${elsewhere.full_path}`, owner)
    assert.equal(moved.state, 'closed')
    assert.ok(moved.moved_to_id)
    const { iid } = await written('The copied one')
    await owner.put(`${project.url}/issues/${iid}`, { description: `/clone ${elsewhere.full_path}` })
    const copies = await owner.get(`${elsewhere.url}/issues`)
    assert.equal(copies.body.length, 2)
  })

  test('/epic adds it to an epic of a group above, /remove_epic removes it', async () => {
    const epic = (await owner.post(`${group.url}/epics`, { title: 'The whole yard' })).body
    const issue = await changed(`/epic &${epic.iid}`, owner)
    assert.equal(issue.epic.id, epic.id)
    const other = await changed(`/epic ${group.full_path}&${epic.iid}`, owner)
    assert.equal(other.epic.id, epic.id)
    assert.equal((await changed('/epic &999')).epic, null)
    const out = await owner.put(`${project.url}/issues/${issue.iid}`, { description: '/remove_epic' })
    assert.equal(out.body.epic, null)
  })

  test('/promote creates an epic from it; outside of a group that is a 400 (decision 38)', async () => {
    const issue = await changed('/promote', owner)
    assert.deepEqual([issue.state, issue.epic.title], ['closed', 'Paint the shed'])
    const { project: own, owner: other } = await scene.project()
    const lonely = await other.post(`${own.url}/issues`, { title: 'Alone', description: '/promote' })
    assert.equal(lonely.status, 400)
    assert.deepEqual((await other.get(`${own.url}/issues`)).body, [])
  })

  test('a /move that is not allowed refuses the whole request', async () => {
    const { project: elsewhere } = await scene.project({ visibility: 'public' })
    const { iid } = await written('Stays')
    const answer = await reporter.put(`${project.url}/issues/${iid}`, { title: 'Never', description: `/move ${elsewhere.full_path}` })
    assert.equal(answer.status, 400)
    assert.equal((await reporter.get(`${project.url}/issues/${iid}`)).body.title, 'Paint the shed')
  })
})
