/** Custom attributes API of the v4 level 14.0; document 3 "Groups", "Projects"; decisions 48 and 52. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()
const { root } = scene

/** A bearer of each kind, with the list that contains it. */
async function bearers() {
  const person = await scene.user()
  const { group } = await scene.group({ visibility: 'public' })
  const { project } = await scene.project({ visibility: 'public' })
  return [
    { url: `/users/${person.id}`, list: '/users', id: person.id },
    { url: group.url, list: '/groups', id: group.id },
    { url: project.url, list: '/projects', id: project.id },
  ]
}

describe('a custom attribute', () => {
  for (const [index, noun] of ['user', 'group', 'project'].entries())
    test(`of a ${noun} is set, replaced, read, listed and deleted`, async () => {
      const url = `${(await bearers())[index]?.url}/custom_attributes`

      assert.deepEqual(await root.put(`${url}/city`, { value: 'Helsinki' }), { status: 200, body: { key: 'city', value: 'Helsinki' } })
      await root.put(`${url}/desk`, { value: '12' })
      assert.equal((await root.put(`${url}/city`, { value: 'Oslo' })).body.value, 'Oslo')
      assert.deepEqual((await root.get(`${url}/city`)).body, { key: 'city', value: 'Oslo' })
      assert.deepEqual((await root.get(url)).body, [
        { key: 'city', value: 'Oslo' },
        { key: 'desk', value: '12' },
      ])
      assert.equal((await root.delete(`${url}/city`)).status, 204)
      assert.deepEqual(await root.get(`${url}/city`), { status: 404, body: { message: '404 Custom Attribute Not Found' } })
    })

  test('needs a value', async () => {
    const { project } = await scene.project()

    const answer = await root.put(`${project.url}/custom_attributes/city`, {})

    assert.deepEqual(answer, { status: 400, body: { message: '400 (Bad request) "value" not given' } })
  })

  test('is only for administrators, not even for owners', async () => {
    const { project, owner } = await scene.project()

    assert.equal((await owner.get(`${project.url}/custom_attributes`)).status, 403)
    assert.equal((await owner.put(`${project.url}/custom_attributes/city`, { value: 'Rome' })).status, 403)
  })

  test('is deleted with its bearer', async () => {
    const { project } = await scene.project()
    await root.put(`${project.url}/custom_attributes/city`, { value: 'Turku' })
    await root.delete(project.url)

    const left = await scene.deps.database.db.selectFrom('custom_attributes').select('id').where('project_id', '=', project.id).execute()

    assert.deepEqual(left, [])
  })
})

describe('with_custom_attributes', () => {
  test('shows attributes to administrators in lists and in single answers (decision 52)', async () => {
    for (const { url, list, id } of await bearers()) {
      await root.put(`${url}/custom_attributes/city`, { value: 'Bergen' })

      const single = await root.get(`${url}?with_custom_attributes=true`)
      const rows = await root.get(`${list}?with_custom_attributes=true&per_page=100`)

      assert.deepEqual(single.body.custom_attributes, [{ key: 'city', value: 'Bergen' }], url)
      const row = rows.body.find((found: { id: number }) => found.id === id)
      assert.deepEqual(row.custom_attributes, [{ key: 'city', value: 'Bergen' }], list)
    }
  })

  test('shows an empty list where there are none, and nothing unless requested', async () => {
    const { project } = await scene.project()

    assert.deepEqual((await root.get(`${project.url}?with_custom_attributes=yes`)).body.custom_attributes, [])
    assert.equal('custom_attributes' in (await root.get(project.url)).body, false)
  })

  test('shows them with the simple fields too', async () => {
    const { project } = await scene.project()
    await root.put(`${project.url}/custom_attributes/city`, { value: 'Vaasa' })

    const { body } = await root.get(`/projects?simple=true&with_custom_attributes=true&id_after=${project.id - 1}`)

    const row = body.find((found: { id: number }) => found.id === project.id)
    assert.deepEqual(row.custom_attributes, [{ key: 'city', value: 'Vaasa' }])
    assert.equal('visibility' in row, false)
  })

  test('is ignored for other users (decision 48)', async () => {
    const { project, owner } = await scene.project()
    const { group } = await scene.group({ owner })
    for (const url of [project.url, group.url, `/users/${owner.id}`]) {
      await root.put(`${url}/custom_attributes/city`, { value: 'Malmö' })

      const { status, body } = await owner.get(`${url}?with_custom_attributes=true`)

      assert.equal(status, 200)
      assert.equal('custom_attributes' in body, false)
    }
  })
})

describe('custom_attributes[key]=value', () => {
  test('filters by all of the values', async () => {
    for (const { url, list, id } of await bearers()) {
      await root.put(`${url}/custom_attributes/city`, { value: `Narvik ${list}` })
      await root.put(`${url}/custom_attributes/desk`, { value: '7' })
      const found = async (query: string) => (await root.get(`${list}?${query}`)).body.map((row: { id: number }) => row.id)
      const city = `custom_attributes[city]=${encodeURIComponent(`Narvik ${list}`)}`

      assert.deepEqual(await found(city), [id])
      assert.deepEqual(await found(`${city}&custom_attributes[desk]=7`), [id])
      assert.deepEqual(await found(`${city}&custom_attributes[desk]=8`), [])
      assert.deepEqual(await found(`${city}&custom_attributes[desk]=`), [])
    }
  })

  test('is ignored for others than administrators (decision 48)', async () => {
    const { project, owner } = await scene.project()

    const { body } = await owner.get('/projects?owned=true&custom_attributes[city]=nowhere')

    assert.deepEqual(
      body.map((row: { id: number }) => row.id),
      [project.id],
    )
  })

  test('of another type is refused', async () => {
    assert.equal((await root.get('/projects?custom_attributes=city')).status, 400)
  })
})
