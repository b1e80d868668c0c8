/** What is planned in the world: labels, milestones and boards, issues and epics, and what is said and done about them. */
import { onePixel } from './bodies.ts'
import { make, rows } from './making.ts'
import type { World } from './world.ts'

export async function planning({ scene, places }: World): Promise<void> {
  for (const { project, group, things } of Object.values(places)) {
    for (const [noun, { url }] of Object.entries({ project, group })) {
      const board = await make(scene.root, `${url}/boards`, { name: 'Board' })
      things[`${noun}_board`] = board.id
      for (const row of rows) {
        const label = await make(scene.root, `${url}/labels`, { name: `urgency:${row}`, color: '#FFAABB' })
        const dates = { start_date: `2020-0${row + 1}-01`, due_date: `2020-0${row + 1}-20` }
        const milestone = await make(scene.root, `${url}/milestones`, { title: `${noun} ${row}`, ...dates })
        const list = await make(scene.root, `${url}/boards/${board.id}/lists`, { label_id: label.id })
        await make(scene.root, `${url}/boards`, { name: `Board ${row}` })
        if (noun === 'group') things.iteration = (await make(scene.root, `${url}/iterations`, { title: `Iteration ${row}`, ...dates })).id
        Object.assign(things, { [`${noun}_label`]: label.id, [`${noun}_milestone`]: milestone.id, [`${noun}_board_list`]: list.id })
      }
      things[`${noun}_spare_label`] = (await make(scene.root, `${url}/labels`, { name: 'spare', color: '#FFAABB' })).id
    }
  }
}

export async function issues({ scene, people, places, things }: World): Promise<void> {
  things.other_project = (await scene.project({ path: 'other-project', owner: people.owner, visibility: 'public' })).project.id
  for (const { project, things: here } of Object.values(places)) {
    const path = `${project.url}/issues`
    const members = await scene.root.get(`${project.url}/members/all?per_page=100`)
    const assignee_ids = members.body.map((member: { id: number }) => member.id)
    await make(people.maintainer, path, { title: 'Issue of many', assignee_ids, labels: 'urgency:1,urgency:2' })
    for (const row of rows) {
      const issue = await make(scene.root, path, {
        title: `Issue ${row}`,
        labels: [`urgency:${row}`],
        assignee_ids: [people.developer.id],
      })
      const { body } = await scene.root.post(`${path}/1/links`, { target_project_id: project.id, target_issue_iid: issue.iid })
      const links = await scene.root.get(`${path}/1/links`)
      here.issue = issue.id
      here.issue_link = links.body.find((link: { iid: number }) => link.iid === body.target_issue.iid).issue_link_id
    }
    await make(scene.root, path, { title: 'Linked with none', labels: 'urgency:1' })
    const thread = await make(people.maintainer, `${path}/1/discussions`, { body: 'What colour?' })
    here.discussion = thread.id
    for (const row of rows) {
      here.answer = (await make(people.maintainer, `${path}/1/discussions/${thread.id}/notes`, { body: `Answer ${row}` })).id
      here.note = (await make(people.maintainer, `${path}/1/notes`, { body: `Note ${row}` })).id
    }
  }
}

const emoji = ['tada', 'heart', 'eyes', 'rocket', 'smile', 'cry', 'thumbsdown', 'dog']

export async function talk({ scene, people, own, places }: World): Promise<void> {
  for (const { project, things } of Object.values(places)) {
    const path = `${project.url}/issues`
    const note = `${path}/1/notes/${things.note}`
    const incident = await make(scene.root, path, { title: 'All is down', issue_type: 'incident' })
    things.incident = incident.iid
    for (const row of rows) {
      things.award = (await make(scene.root, `${path}/1/award_emoji`, { name: emoji[row] })).id
      things.note_award = (await make(scene.root, `${note}/award_emoji`, { name: emoji[row] })).id
      await scene.root.put(`${path}/1`, {
        state_event: row % 2 === 0 ? 'close' : 'reopen',
        weight: row,
        milestone_id: row % 2 === 0 ? things.project_milestone : 0,
      })
      const iteration = row % 2 === 0 ? `/iteration *iteration:${things.iteration}` : '/remove_iteration'
      await scene.root.post(`${path}/1/notes`, { body: iteration })
      await scene.root.put(`${path}/1`, { [row % 2 === 0 ? 'add_labels' : 'remove_labels']: 'urgency:3' })
      const form = new FormData()
      form.set('file', new Blob([Buffer.from(onePixel, 'latin1')]), 'load.gif')
      things.metric_image = (await make(scene.root, `${path}/${incident.iid}/metric_images`, form)).id
    }
    for (const kind of ['state', 'label', 'milestone', 'iteration', 'weight']) {
      const { body } = await scene.root.get(`${path}/1/resource_${kind}_events`)
      things[`${kind}_event`] = body[0].id
    }
  }
  for (const [name, person] of Object.entries(people)) {
    // The newest one is for an issue that a merge request closes, as most of them are.
    for (const row of rows.toReversed()) await person.post(`${places.public.project.url}/issues/${row + 2}/todo`)
    const mine = await person.get('/todos')
    ;(own[name] as Record<string, number>).todo = mine.body[0].id
  }
}

export async function epics({ scene, places }: World): Promise<void> {
  for (const { project, group, things } of Object.values(places)) {
    const epic = await make(scene.root, `${group.url}/epics`, { title: 'Epic of many', labels: 'urgency:1,urgency:2' })
    for (const row of rows) {
      things.child_epic = (await make(scene.root, `${group.url}/epics`, { title: `Epic ${row}`, parent_id: epic.id })).id
      for (const noun of ['project', 'group'])
        await make(scene.root, `${project.url}/issues`, { title: `Issue ${row}`, milestone_id: things[`${noun}_milestone`] })
      const issue = await make(scene.root, `${project.url}/issues`, {
        title: `Issue ${row} of an epic`,
        epic_id: epic.id,
        milestone_id: things.project_milestone,
      })
      things.epic_issue = issue.id
    }
    things.spare_epic = (await make(scene.root, `${group.url}/epics`, { title: 'Epic' })).id
  }
}
