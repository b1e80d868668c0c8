/** Characters that turn the direction of text: wherever code is shown, they are named, and turn nothing else. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { oauthScene } from '../../../identity/oauth/scene.ts'
import { shownTurns } from './turning.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

const named = (character: string, name: string) =>
  `<span class="turning" data-name="${name}" title="${name} turns the direction of text">${character}</span>`

test('each of them is named, and all other text stays as it is', () => {
  assert.equal(shownTurns('a\u202eb\u2066c'), `a${named('\u202e', 'U+202E')}b${named('\u2066', 'U+2066')}c`)
  for (const same of ['', 'plain', 'שלום', 'a&amp;<span class="hljs-keyword">b</span>', 'zero\u200bwidth'])
    assert.equal(shownTurns(same), same)
})

test('pages of a file, of its blame, of a commit and of a snippet name them, with a language and without one', async () => {
  const writer = await surfer()
  const { project, owner } = await scene.project({ owner: writer.person })
  const line = 'if (role != "user\u202e \u2066// admin\u2069 \u2066") {'
  const commit = await scene.commit(project, { 'guard.ts': `${line}\n`, 'guard.unknown': `${line}\n` })
  const { body: snippet } = await owner.post(`${project.url}/snippets`, {
    title: 'A guard',
    visibility: 'private',
    files: [{ file_path: 'guard.ts', content: line }],
  })
  const place = `/${project.full_path}/-`
  const pages = [
    ...['guard.ts', 'guard.unknown'].flatMap(path => [`${place}/blob/main/${path}`, `${place}/blame/main/${path}`]),
    `${place}/commit/${commit}`,
    `${place}/snippets/${snippet.id}`,
  ]

  for (const page of pages) {
    const { body, status } = await writer.get(page)
    assert.equal(status, 200, page)
    const count = page.includes('/commit/') ? 2 : 1
    assert.equal(body.split(named('\u202e', 'U+202E')).length - 1, count, page)
    assert.equal(body.split(named('\u2066', 'U+2066')).length - 1, 2 * count, page)
  }
})
