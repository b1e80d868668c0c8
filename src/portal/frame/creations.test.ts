/** What can be begun and chosen from everywhere: the menu of new things, and the palette. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

/** The addresses in the menu of new things of a page. */
const creationsOn = (page: string): string[] => {
  const menu = /aria-label="Create new".*?<\/details>/s.exec(page)?.[0] ?? ''
  return [...menu.matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => href)
}

const anywhere = ['/projects/new', '/projects/import', '/groups/new', '/-/snippets/new']

test('the menu of new things begins with those of the place, for who may begin them', async () => {
  const [owner, visitor] = await Promise.all([surfer(), surfer()])
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  await scene.commit(project, { 'a.txt': 'one\n' })
  const path = `/${project.full_path}`
  const ofProject = ['issues', 'merge_requests'].map(kind => `${path}/-/${kind}/new`)
  assert.deepEqual(creationsOn((await owner.get(`${path}/-/branches`)).body), [...ofProject, ...anywhere])
  assert.deepEqual(creationsOn((await visitor.get(path)).body), [`${path}/-/issues/new`, ...anywhere])
  assert.deepEqual(creationsOn((await owner.get('/explore')).body), anywhere)
  for (const page of anywhere) assert.equal((await owner.get(page)).status, 200, page)
})

test('the palette offers colours once something of them is typed', async () => {
  const person = await surfer()
  const offered = async (search: string) => [...String((await person.get('/-/palette', { search })).body).matchAll(/data-theme="([^"]*)"/g)]
  assert.deepEqual(
    (await offered('contrast, d')).map(([, theme]) => theme),
    ['dark-contrast'],
  )
  assert.equal((await offered('')).length, 0)
})
