/** Suggestions in diff threads, and applying them (suggest changes API at 14.0). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openScene, type Person } from '../../../test/scene.ts'
import { gitProcesses } from '../../platform/git/index.ts'

const scene = await openScene()

/** A merge request by the developer that adds a file of five lines. */
async function proposed() {
  const world = await scene.project({ visibility: 'public', members: ['reporter', 'developer', 'maintainer'] })
  const { project, developer } = world
  const mergeRequest = await scene.mergeRequest(project, { author: developer, files: { 'f.txt': 'one\ntwo\nthree\nfour\nfive\n' } })
  const { body } = await developer.get(mergeRequest.url)
  const at = (new_line: number) => ({ ...body.diff_refs, position_type: 'text', old_path: 'f.txt', new_path: 'f.txt', new_line })
  const threads = `${mergeRequest.url}/discussions`
  const suggest = async (person: Person, line: number, text: string, range = '') => {
    const answer = await person.post(threads, { body: `Better:\n\`\`\`suggestion${range}\n${text}\`\`\``, position: at(line) })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return { ...answer.body.notes[0], thread: answer.body.id }
  }
  const read = async (ref = mergeRequest.source_branch) =>
    (await developer.get(`${project.url}/repository/files/f.txt/raw`, { ref })).body as string
  return { ...world, mergeRequest, suggest, threads, read, notes: `${mergeRequest.url}/notes` }
}

describe('a suggestion', () => {
  test('is shown with its note: the replaced lines and their new content', async () => {
    const { reporter, suggest, notes } = await proposed()

    const note = await suggest(reporter, 3, 'Three\n', ':-1+1')

    const [{ id, ...rest }] = note.suggestions
    assert.deepEqual(rest, {
      from_line: 2,
      to_line: 4,
      appliable: true,
      applied: false,
      from_content: 'two\nthree\nfour\n',
      to_content: 'Three\n',
    })
    const edited = (await reporter.put(`${notes}/${note.id}`, { body: '```suggestion\nDrei\n```' })).body
    assert.deepEqual(
      [edited.suggestions.length, edited.suggestions[0].from_content, edited.suggestions[0].to_content],
      [1, 'three\n', 'Drei\n'],
    )
    assert.deepEqual((await reporter.put(`${notes}/${note.id}`, { body: 'Never mind' })).body.suggestions, [])
    assert.deepEqual((await suggest(reporter, 5, 'x\n', ':-0+9')).suggestions, [])
  })
})

describe('a text with too many suggestions', () => {
  test('offers the first hundred, for which the file is read once', async () => {
    const { project, developer, reporter } = await scene.project({ visibility: 'public', members: ['reporter', 'developer'] })
    // Git reads a file of this size in a process of its own.
    const files = { 'f.txt': `one\ntwo\n${'three\n'.repeat(300_000)}` }
    const { url } = await scene.mergeRequest(project, { author: developer, files })
    const { body } = await developer.get(url)
    const position = { ...body.diff_refs, position_type: 'text', old_path: 'f.txt', new_path: 'f.txt', new_line: 2 }
    const text = '```suggestion\nTwo\n```\n'.repeat(150)

    const before = gitProcesses.started
    const begun = await reporter.post(`${url}/discussions`, { body: text, position })
    const started = gitProcesses.started - before
    const [note] = begun.body.notes

    assert.deepEqual([begun.status, note.suggestions.length, note.body.length], [201, 100, text.length])
    assert.ok(started < 10, `${started} processes`)
    const edited = await reporter.put(`${url}/notes/${note.id}`, { body: `${text}\n${text}` })
    assert.deepEqual([edited.status, edited.body.suggestions.length], [200, 100])
    assert.ok(gitProcesses.started - before < 20, 'as few for a change of it')
  })

  test('offers those that replace a megabyte together', async () => {
    const { project, developer, reporter } = await scene.project({ visibility: 'public', members: ['reporter', 'developer'] })
    const files = { 'f.txt': `${'x'.repeat(400_000)}\n` }
    const { url } = await scene.mergeRequest(project, { author: developer, files })
    const { body } = await developer.get(url)
    const position = { ...body.diff_refs, position_type: 'text', old_path: 'f.txt', new_path: 'f.txt', new_line: 1 }

    const begun = await reporter.post(`${url}/discussions`, { body: '```suggestion\ny\n```\n'.repeat(5), position })

    assert.deepEqual([begun.status, begun.body.notes?.[0].suggestions.length], [201, 2])
  })
})

describe('applying', () => {
  test('makes a commit of the caller on the source branch and resolves the thread', async () => {
    const { project, reporter, developer, mergeRequest, suggest, threads, read } = await proposed()
    const note = await suggest(reporter, 2, 'Two\n')

    const { status, body } = await developer.put(`/suggestions/${note.suggestions[0].id}/apply`)

    assert.equal(status, 200)
    assert.deepEqual([body.applied, body.appliable], [true, false])
    assert.equal(await read(), 'one\nTwo\nthree\nfour\nfive\n')
    const [commit] = (await developer.get(`${project.url}/repository/commits`, { ref_name: mergeRequest.source_branch })).body
    assert.deepEqual(
      [commit.author_email, commit.title, commit.parent_ids[0]],
      [developer.email, 'Apply 1 suggestion(s) to 1 file(s)', mergeRequest.sha],
    )
    const thread = (await developer.get(`${threads}/${note.thread}`)).body
    assert.deepEqual([thread.notes[0].resolved, thread.notes[0].resolved_by.id], [true, developer.id])
    const again = await developer.put(`/suggestions/${note.suggestions[0].id}/apply`)
    assert.deepEqual(again, { status: 400, body: { message: 'Suggestion is not appliable.' } })
  })

  test('uses the message of the request or of the project, and applies several in one commit', async () => {
    const { project, reporter, developer, maintainer, mergeRequest, suggest, read } = await proposed()
    await maintainer.put(project.url, { suggestion_commit_message: 'By %{username}: %{suggestions_count} in %{file_paths} %{unknown}' })
    const notes = [await suggest(reporter, 1, 'ONE\n'), await suggest(reporter, 4, '', ':-0+1')]

    const { status, body } = await developer.put('/suggestions/batch_apply', { ids: notes.map(note => note.suggestions[0].id) })

    assert.equal(status, 200)
    assert.deepEqual(
      body.map((one: { applied: boolean }) => one.applied),
      [true, true],
    )
    assert.equal(await read(), 'ONE\ntwo\nthree\n')
    const [commit] = (await developer.get(`${project.url}/repository/commits`, { ref_name: mergeRequest.source_branch })).body
    assert.equal(commit.message.trim(), `By ${developer.username}: 2 in f.txt %{unknown}`)
  })

  test('is refused for overlapping lines and users who may not push; hidden suggestions are not found', async () => {
    const { reporter, developer, suggest, read } = await proposed()
    const [one, two] = [await suggest(reporter, 2, 'x\n', ':-1+0'), await suggest(reporter, 1, 'y\n')]
    const other = await (await proposed()).suggest(reporter, 1, 'z\n')
    const id = one.suggestions[0].id

    assert.equal((await reporter.put(`/suggestions/${id}/apply`)).status, 403)
    assert.equal((await developer.put('/suggestions/batch_apply', { ids: [id, two.suggestions[0].id] })).status, 400)
    assert.equal((await developer.put('/suggestions/batch_apply', { ids: [id, other.suggestions[0].id] })).status, 400)
    assert.equal((await developer.put('/suggestions/999999/apply')).status, 404)
    assert.equal((await scene.anonymous.put(`/suggestions/${id}/apply`)).status, 401)
    assert.equal(await read(), 'one\ntwo\nthree\nfour\nfive\n')
  })

  test('two concurrent requests to apply a suggestion make one commit', async () => {
    const { project, reporter, developer, maintainer, mergeRequest, suggest } = await proposed()
    const note = await suggest(reporter, 2, 'Two\n')
    const path = `/suggestions/${note.suggestions[0].id}/apply`

    const answers = await Promise.all([developer.put(path), maintainer.put(path)])

    assert.deepEqual(answers.map(answer => answer.status).sort(), [200, 400])
    const commits = (await developer.get(`${project.url}/repository/commits`, { ref_name: mergeRequest.source_branch })).body
    assert.equal(commits[0].parent_ids[0], mergeRequest.sha)
  })
})
