/** The list of all projects: what its reader may see, by statements whose plans are kept. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'
import { planningOf } from '../../platform/db/statements/prepared.ts'
import { recordQueries } from '../../platform/db/statements/statements.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const PAGE = '/explore'

test('the list of all projects has what its reader may see, however its statements are kept', async () => {
  const [member, other] = [await surfer(), await surfer()]
  const { project: open } = await scene.project({ visibility: 'public' })
  const { project: secret } = await scene.project({ visibility: 'private' })
  await scene.root.post(`${secret.url}/members`, { user_id: member.person.id, access_level: 10 })
  // By turns: statements are shared by all readers of a kind.
  for (const _ of [1, 2, 3])
    for (const [who, sees] of [
      [member, true],
      [other, false],
    ] as const) {
      const { body } = await who.get(PAGE)
      assert.ok(body.includes(`href="/${open.full_path}"`))
      assert.equal(body.includes(`href="/${secret.full_path}"`), sees)
    }
  const named = await member.get(PAGE, { search: secret.full_path.split('/').at(-1) as string })
  assert.ok(named.body.includes(`href="/${secret.full_path}"`))
  assert.ok(!named.body.includes(`href="/${open.full_path}"`))
})

test('no statement of the list of all projects is planned for each request', async () => {
  const password = 'a long one for the list'
  const { username } = await scene.user({ password })
  const signedIn = await scene.anonymous.post(`${scene.url}/users/sign_in`, new URLSearchParams({ login: username, password }))
  const cookie = String(signedIn.headers['set-cookie']).split(';')[0] as string
  for (const url of [PAGE, `${PAGE}?search=`, `${PAGE}?order_by=name`, `${PAGE}?order_by=star_count`]) {
    const { result, queries } = await recordQueries(async () => scene.app.inject({ url, headers: { cookie } }))
    assert.equal(result.statusCode, 200)
    const lists = queries.map(({ sql }) => sql).filter(sql => sql.includes('from "projects"') && /\blimit\b/.test(sql))
    assert.ok(lists.length >= 2, url)
    for (const sql of lists) assert.equal(planningOf(sql), 'force_generic_plan', sql)
  }
})

test('the list of all projects comes by their stars, the most first', async () => {
  const [few, many, none] = [
    await scene.project({ visibility: 'public' }),
    await scene.project({ visibility: 'public' }),
    await scene.project({ visibility: 'public' }),
  ]
  const [one, other] = [await scene.user(), await scene.user()]
  for (const person of [one, other]) await person.post(`${many.project.url}/star`)
  await one.post(`${few.project.url}/star`)

  const { body } = await scene.anonymous.get(`${scene.url}${PAGE}`, { order_by: 'star_count' })
  const listed = await one.get('/projects', { order_by: 'star_count', sort: 'asc' })

  const at = ({ project }: typeof few) => body.indexOf(`href="/${project.full_path}"`)
  assert.ok(at(many) !== -1 && at(many) < at(few) && at(few) < at(none))
  const counts = (listed.body as { star_count: number }[]).map(({ star_count }) => star_count)
  assert.deepEqual(
    counts,
    counts.toSorted((less, more) => less - more),
  )
  assert.equal(counts.at(-1), 2)
})
