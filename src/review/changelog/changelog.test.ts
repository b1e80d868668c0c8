/** Changelogs from the trailers of commits (repositories API at 14.0). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Scene } from '../../../test/scene.ts'

const scene = await openScene()

type Project = Awaited<ReturnType<Scene['project']>>['project']

/** Commits a file whose name is that of the change. */
async function change(project: Project, title: string, trailer?: string): Promise<string> {
  const message = trailer === undefined ? title : `${title}\n\nChangelog: ${trailer}`
  const actions = [{ action: 'create', file_path: `${title}.txt`, content: title }]
  const answer = await scene.root.post(`${project.url}/repository/commits`, { branch: 'main', commit_message: message, actions })
  assert.equal(answer.status, 201)
  return answer.body.id
}

/** A project with a release 1.0.0, and after it a feature and a fix. */
async function developed() {
  const made = await scene.project({ members: ['developer', 'reporter'], initialize_with_readme: true })
  const { project } = made
  await change(project, 'Before', 'feature')
  await scene.root.post(`${project.url}/repository/tags`, { tag_name: 'v1.0.0', ref: 'main' })
  await scene.root.post(`${project.url}/repository/tags`, { tag_name: 'v1.1.0-rc1', ref: 'main' })
  const feature = await change(project, 'Add lamp', 'feature')
  await change(project, 'Say nothing')
  const fix = await change(project, 'Mend lamp', 'bug')
  return { ...made, feature, fix }
}

const fileOf = async (project: Project, path = 'CHANGELOG.md') =>
  Buffer.from((await scene.root.get(`${project.url}/repository/files/${path}`, { ref: 'main' })).body.content, 'base64').toString()

test('the changes since the last release are shown by the value of their trailer', async () => {
  const { project, reporter, feature, fix } = await developed()

  const answer = await reporter.get(`${project.url}/repository/changelog`, { version: '1.1.0', date: '2021-01-05T00:00:00Z' })

  assert.equal(answer.status, 200)
  assert.equal(
    answer.body.notes,
    // The administrator who wrote them is no member: a contributor from outside.
    `## 1.1.0 (2021-01-05)

### feature (1 change)

- [Add lamp](${project.full_path}@${feature}) by @${scene.root.username}

### bug (1 change)

- [Mend lamp](${project.full_path}@${fix}) by @${scene.root.username}
`,
  )
})

test('a changelog is committed, and the next one stands before it', async () => {
  const { project, developer } = await developed()
  const url = `${project.url}/repository/changelog`
  await scene.root.delete(`${project.url}/protected_branches/main`)

  assert.deepEqual(await developer.post(url, { version: '1.1.0' }), { status: 200, body: undefined })
  await scene.root.post(`${project.url}/repository/tags`, { tag_name: 'v1.1.0', ref: 'main' })
  await change(project, 'Lamp again', 'feature')
  assert.equal((await developer.post(url, { version: '1.2.0', message: 'Release 1.2.0' })).status, 200)

  const titles = [...(await fileOf(project)).matchAll(/^##+ .*$/gm)].map(([title]) => title.replace(/ \(\d{4}.*/, ''))
  assert.deepEqual(titles, ['## 1.2.0', '### feature (1 change)', '## 1.1.0', '### feature (1 change)', '### bug (1 change)'])
  const [last] = (await scene.root.get(`${project.url}/repository/commits`)).body
  assert.equal(last.title, 'Release 1.2.0')
})

test('a configuration says the titles, the date and the template, and which tags count', async () => {
  const { project } = await developed()
  const yaml = `date_format: '%d %B'
tag_regex: '^v(?P<major>\\d+)\\.(?P<minor>\\d+)\\.(?P<patch>\\d+)$'
categories:
  feature: Features
template: |
  {% each categories %}
  {{ title }}: {{ count }}
  {% end %}
`
  const actions = [{ action: 'create', file_path: '.gitlab/changelog_config.yml', content: yaml }]
  await scene.root.post(`${project.url}/repository/commits`, { branch: 'main', commit_message: 'Configure', actions })

  const { body } = await scene.root.get(`${project.url}/repository/changelog`, { version: '1.1.0', date: '2021-01-05T00:00:00Z' })

  assert.equal(body.notes, '## 1.1.0 (05 January)\n\nFeatures: 1\nbug: 1\n')
})

test('the name of a trailer means nothing that the commits do not say', async () => {
  const { project } = await developed()

  const { body } = await scene.root.get(`${project.url}/repository/changelog`, { version: '1.1.0', trailer: 'constructor' })

  assert.match(body.notes, /No changes\.\n$/)
})

test('a change that is taken back in the range is left out', async () => {
  const { project, fix } = await developed()
  await scene.root.post(`${project.url}/repository/commits/${fix}/revert`, { branch: 'main' })

  const { body } = await scene.root.get(`${project.url}/repository/changelog`, { version: '1.1.0' })

  assert.doesNotMatch(body.notes, /Mend lamp/)
  assert.match(body.notes, /Add lamp/)
})

test('a merge request that brought a change is named', async () => {
  const { project, owner } = await scene.project({ initialize_with_readme: true })
  await scene.root.post(`${project.url}/repository/tags`, { tag_name: '1.0.0', ref: 'main' })
  const mergeRequest = await scene.mergeRequest(project, { files: { 'a.txt': 'a' }, author: owner })
  const merged = await scene.root.put(`${mergeRequest.url}/merge`, {
    squash: true,
    squash_commit_message: 'Paint\n\nChangelog: feature',
  })
  assert.equal(merged.status, 200)

  const { body } = await scene.root.get(`${project.url}/repository/changelog`, { version: '1.1.0' })

  assert.match(body.notes, new RegExp(`\\(\\[merge request\\]\\(${project.full_path}!${mergeRequest.iid}\\)\\)`))
})

test('what cannot be generated is a 422 that says why, and nothing is committed', async () => {
  const { project, reporter } = await scene.project({ members: ['reporter'], initialize_with_readme: true })
  const url = `${project.url}/repository/changelog`

  const untagged = await scene.root.post(url, { version: '1.0.0' })
  assert.equal(untagged.status, 422)
  assert.match(untagged.body.message, /^Failed to generate the changelog: The commit range has no beginning/)
  assert.equal((await scene.root.post(url, { version: '1.0.0', from: 'nowhere' })).status, 422)
  assert.deepEqual(await scene.root.get(url, { version: 'one' }), { status: 400, body: { message: { version: ['is invalid'] } } })
  assert.equal((await reporter.post(url, { version: '1.0.0' })).status, 403)
  const bad = [{ action: 'create', file_path: '.gitlab/changelog_config.yml', content: 'tag_regex: "(["' }]
  await scene.root.post(`${project.url}/repository/commits`, { branch: 'main', commit_message: 'Configure', actions: bad })
  assert.match((await scene.root.get(url, { version: '1.0.0' })).body.message, /tag_regex/)
  assert.equal((await scene.root.get(`${project.url}/repository/commits`)).body.length, 2)
})
