/** Snippets of each project, with what is said about them, and of each person. */
import { make, rows } from './making.ts'
import type { Things, World } from './world.ts'

const files = [{ file_path: 'prune.sh', content: 'echo hello\n' }]

const emoji = ['tada', 'heart', 'eyes', 'rocket', 'smile', 'cry', 'thumbsdown', 'dog']

export async function snippets({ scene, people, places, own, things: instance }: World): Promise<void> {
  const { root } = scene
  for (const [visibility, { project, things }] of Object.entries(places)) {
    const here = visibility === 'private' ? rows : [0]
    const url = `${project.url}/snippets`
    for (const row of here)
      things.snippet = (await make(people.maintainer, url, { title: `Snippet ${row}`, visibility: 'public', files })).id
    const one = `${url}/${things.snippet}`
    const thread = await make(people.maintainer, `${one}/discussions`, { body: `Why, @${people.owner.username}?` })
    things.snippet_discussion = thread.id
    for (const row of here) {
      things.snippet_answer = (await make(people.maintainer, `${one}/discussions/${thread.id}/notes`, { body: `Answer ${row}` })).id
      things.snippet_note = (await make(people.maintainer, `${one}/notes`, { body: `Note ${row}` })).id
      things.snippet_award = (await make(root, `${one}/award_emoji`, { name: emoji[row] })).id
    }
    for (const row of here)
      things.snippet_note_award = (await make(root, `${one}/notes/${things.snippet_note}/award_emoji`, { name: emoji[row] })).id
    things.personal_snippet = (await make(people.owner, '/snippets', { title: 'One’s own', visibility, files })).id
  }
  for (const [name, person] of Object.entries(people))
    for (const row of person === root ? rows : [0]) {
      const { status, body } = await person.post('/snippets', { title: `Own ${row}`, visibility: 'public', files })
      if (status === 201) (own[name] as Things).snippet = body.id
    }
  instance.snippet = (own.admin as Things).snippet as number
}
