/** What reaches over groups shows nothing that is in a group which the session has to sign in for. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { password } from '../../identity/oauth/scene.ts'
import { groupSamlScene } from './scene.ts'

const scene = await openScene()
const { company, signedIn, signOn } = groupSamlScene(scene)

/** Begins the titles of all that is in the groups. */
const WORD = 'Tungsten'

/** A group that asks for the sign-in, with a project that has one thing of each kind, and a Developer of the group whom they are about. */
async function filledCompany(visibility: 'private' | 'public') {
  const made = await company({ enforced: true, default_membership_role: 30 })
  const { group, owner } = made
  if (visibility === 'public') await owner.put(group.url, { visibility })
  const { project } = await scene.project({ group, visibility })
  const person = await scene.user({ password })
  await scene.root.post(`${group.url}/members`, { user_id: person.id, access_level: 30 })
  const create = async (client: typeof owner, path: string, attributes: object) => {
    const { status, body } = await client.post(path, attributes)
    assert.equal(status, 201, path)
    return body
  }
  await scene.commit(project, { 'a.md': 'a' })
  await create(owner, `${project.url}/repository/branches`, { branch: 'topic', ref: 'main' })
  await create(owner, `${group.url}/milestones`, { title: `${WORD} group milestone` })
  await create(owner, `${group.url}/epics`, { title: `${WORD} epic`, confidential: true })
  const { id: milestone_id } = await create(owner, `${project.url}/milestones`, { title: `${WORD} milestone` })
  const issue = await create(owner, `${project.url}/issues`, { title: `${WORD} issue`, milestone_id, confidential: true })
  await owner.put(`${project.url}/issues/${issue.iid}`, { description: `@${person.username}` })
  await create(owner, `${project.url}/issues/${issue.iid}/notes`, { body: `${WORD} note @${person.username}` })
  const branches = { source_branch: 'topic', target_branch: 'main' }
  if (visibility === 'private')
    await create(owner, `${project.url}/merge_requests`, { ...branches, title: `${WORD} merge request`, assignee_id: person.id })
  const files = [{ file_path: 'a.txt', content: 'a' }]
  const snippet = await create(owner, `${project.url}/snippets`, { title: `${WORD} snippet`, files, visibility: 'private' })
  return { ...made, project, person, snippet }
}

const api = (path: string) => `${scene.url}/api/v4${path}`

for (const visibility of ['private', 'public'] as const)
  test(`of a ${visibility} group`, async () => {
    const made = await filledCompany(visibility)
    const { owner, person, snippet, group } = made
    const browser = await signedIn(person)
    const found = async () => {
      const paths = [
        ...['/', '/dashboard/activity', '/dashboard/todos', '/dashboard/issues', '/dashboard/merge_requests', '/dashboard/projects.atom'],
        ...[`/dashboard/issues?scope=all`, `/dashboard/issues.atom?scope=all`, `/${owner.username}`, `/${owner.username}.atom`],
        ...['issues', 'merge_requests', 'milestones'].flatMap(scope => [
          `/search?${new URLSearchParams({ scope, search: WORD })}`,
          api(`/search?${new URLSearchParams({ scope, search: WORD })}`),
        ]),
        ...['/issues?scope=all', '/merge_requests?scope=all', '/todos', '/events?scope=all', `/users/${owner.id}/events`].map(api),
        ...[`/snippets/${snippet.id}`, `/groups/${group.id}/epics`].map(api),
      ]
      const shown = new Map<string, number>()
      for (const path of paths) {
        const { body } = await browser.get(path)
        // What the person searches for is on the page as well.
        shown.set(path, JSON.stringify(body).split(new RegExp(`${WORD} (?:issue|merge|note|snippet|epic)`)).length - 1)
      }
      return shown
    }
    const before = [...(await found())].filter(([, count]) => count > 0).map(([path]) => path)
    await signOn(browser, made, 'ada')
    const after = [...(await found())].filter(([, count]) => count > 0)

    assert.deepEqual(before, [])
    assert.ok(after.length > 10, 'the same lists show it after the sign-in')
  })
