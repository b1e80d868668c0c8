/** What is said and done about the first merge request, the first epic and a commit of each place. */
import type { Person } from '../scene.ts'
import { make, rows } from './making.ts'
import type { World } from './world.ts'

const emoji = ['tada', 'heart', 'eyes', 'rocket', 'smile', 'cry', 'thumbsdown', 'dog']

export async function talkOfOthers({ scene, people, places, things: instance }: World): Promise<void> {
  const { root } = scene
  for (const [visibility, { project, group, things }] of Object.entries(places)) {
    const here = visibility === 'private' ? rows : [0]
    const [epic] = (await root.get(`${group.url}/epics`, { sort: 'asc' })).body
    things.epic = epic.id
    const mergeRequest = `${project.url}/merge_requests/1`
    const { diff_refs } = (await root.get(mergeRequest)).body
    const file = 'feature-many/0.txt'
    const position = { ...diff_refs, position_type: 'text', old_path: file, new_path: file, new_line: 1 }
    const suggesting = await make(root, `${mergeRequest}/discussions`, { body: '```suggestion\nBetter\n```', position })
    things.suggestion = suggesting.notes[0].suggestions[0].id
    instance.suggestion = things.suggestion as number
    const epicByIid = `${group.url}/epics/${epic.iid}`
    const members: { username: string }[] = (await root.get(`${group.url}/members/all?per_page=100`)).body
    const everybody = members.map(({ username }) => `@${username}`).join(' ')
    const kinds = [
      { noun: 'merge_request', thing: mergeRequest, talk: mergeRequest },
      { noun: 'epic', thing: epicByIid, talk: `${group.url}/epics/${epic.id}` },
    ]
    for (const { noun, thing, talk } of kinds) {
      const thread = await make(people.maintainer, `${talk}/discussions`, { body: `What colour, ${everybody}?` })
      things[`${noun}_discussion`] = thread.id
      for (const row of here) {
        things[`${noun}_answer`] = (await make(people.maintainer, `${talk}/discussions/${thread.id}/notes`, { body: `Answer ${row}` })).id
        things[`${noun}_note`] = (await make(people.maintainer, `${talk}/notes`, { body: `Note ${row}` })).id
        things[`${noun}_award`] = (await make(root, `${thing}/award_emoji`, { name: emoji[row] })).id
      }
      for (const row of here) {
        const note = `${thing}/notes/${things[`${noun}_note`]}`
        things[`${noun}_note_award`] = (await make(root, `${note}/award_emoji`, { name: emoji[row] })).id
      }
      const [key, id] =
        noun === 'epic' ? (['epic_id', epic.id] as const) : (['merge_request_id', await mergeRequestId(root, mergeRequest)] as const)
      const common = { [key]: id, user_id: root.id, state: 'closed' as const }
      for (const kind of ['state', 'label', 'milestone'] as const)
        for (const _ of here) {
          const about = {
            state: {},
            label: { action: 'add' as const, label_id: things.group_label as number },
            milestone: { action: 'add' as const, milestone_id: things.project_milestone as number },
          }[kind]
          const fact = await scene.deps.database.db
            .insertInto('resource_events')
            .values({ ...common, ...about, kind })
            .returning('id')
            .executeTakeFirstOrThrow()
          things[`${noun}_${kind}_event`] = fact.id
        }
    }
    const commit = `${project.url}/repository/commits/${things.commit}`
    const thread = await make(people.maintainer, `${commit}/discussions`, { body: 'Which lamp?' })
    things.commit_discussion = thread.id
    for (const row of here) {
      const answer = await make(people.maintainer, `${commit}/discussions/${thread.id}/notes`, { body: `Answer ${row}` })
      things.commit_answer = answer.id
      await make(people.maintainer, `${commit}/comments`, { note: `Comment ${row}` })
    }
    const award = { note_id: things.commit_answer as number, user_id: root.id, name: 'tada' }
    const { id: awardId } = await scene.deps.database.db.insertInto('award_emoji').values(award).returning('id').executeTakeFirstOrThrow()
    things.commit_note_award = awardId
  }
}

/** Every user has a draft for the first merge request of each place where they may comment; the administrator has eight. */
export async function drafts({ scene, people, own, places }: World): Promise<void> {
  for (const [name, person] of Object.entries(people))
    for (const { project } of Object.values(places))
      for (const row of person === scene.root ? rows : [0]) {
        const { status, body } = await person.post(`${project.url}/merge_requests/1/draft_notes`, { note: `Draft ${row}` })
        if (status === 201) (own[name] as Record<string, number>)[`draft_${project.id}`] = body.id
      }
}

const mergeRequestId = async (root: Person, url: string): Promise<number> => (await root.get(url)).body.id
