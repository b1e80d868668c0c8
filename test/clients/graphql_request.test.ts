/** `graphql-request`, the client of editors, with documents in the form in which they send them: threads of a merge request are read and written. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GraphQLClient, gql } from 'graphql-request'
import { openScene } from '../scene.ts'

const scene = await openScene()
const { project, developer, guest } = await scene.project({ members: ['developer', 'guest'] })
const mergeRequest = await scene.mergeRequest(project, { files: { 'shed.txt': 'red\nblue\n' } })

const clientOf = (token: string) => new GraphQLClient(`${scene.url}/api/graphql`, { headers: { Authorization: `Bearer ${token}` } })
const client = clientOf(developer.token)

const details = gql`
  fragment position on Note {
    position { diffRefs { baseSha headSha startSha } filePath positionType newLine oldLine newPath oldPath }
  }
  fragment noteDetails on Note {
    id createdAt system body bodyHtml url
    author { avatarUrl name username webUrl }
    userPermissions { resolveNote adminNote createNote }
    ...position
  }
`

const threadDetails = gql`
  ${details}
  fragment discussionDetails on Discussion {
    replyId createdAt resolved resolvable
    notes { pageInfo { hasNextPage endCursor } nodes { ...noteDetails } }
  }
`

const readThreads = gql`
  ${threadDetails}
  query GetMrDiscussions($namespaceWithPath: ID!, $iid: String!, $afterCursor: String) {
    project(fullPath: $namespaceWithPath) {
      mergeRequest(iid: $iid) {
        discussions(after: $afterCursor) { pageInfo { hasNextPage endCursor } nodes { ...discussionDetails } }
      }
    }
  }
`

const createNote = gql`
  ${details}
  mutation CreateNote($issuableId: NoteableID!, $body: String!, $replyId: DiscussionID) {
    createNote(input: { noteableId: $issuableId, body: $body, discussionId: $replyId }) { errors note { ...noteDetails } }
  }
`

const createDiffNote = gql`
  ${threadDetails}
  mutation CreateDiffNote($issuableId: NoteableID!, $body: String!, $position: DiffPositionInput!) {
    createDiffNote(input: { noteableId: $issuableId, body: $body, position: $position }) {
      errors
      note { discussion { ...discussionDetails } }
    }
  }
`

const toggle = gql`
  mutation DiscussionToggleResolve($replyId: DiscussionID!, $resolved: Boolean!) {
    discussionToggleResolve(input: { id: $replyId, resolve: $resolved }) { errors }
  }
`

const update = gql`
  mutation UpdateNoteBody($noteId: NoteID!, $body: String) { updateNote(input: { id: $noteId, body: $body }) { errors } }
`

const destroy = gql`
  mutation DeleteNote($noteId: NoteID!) { destroyNote(input: { id: $noteId }) { errors } }
`

const issuableId = `gid://gitlab/MergeRequest/${mergeRequest.id}`

/** The threads that people began, as the editor shows them. */
async function threads() {
  // biome-ignore lint/suspicious/noExplicitAny: the document says what comes back
  const { project: found } = await client.request<any>(readThreads, { namespaceWithPath: project.full_path, iid: String(mergeRequest.iid) })
  // biome-ignore lint/suspicious/noExplicitAny: the document says what comes back
  return found.mergeRequest.discussions.nodes.filter((thread: any) => !thread.notes.nodes[0].system)
}

test('an editor begins a thread on a line, replies, resolves, changes and deletes', async () => {
  const { diff_refs } = (await developer.get(mergeRequest.url)).body
  const position = {
    baseSha: diff_refs.base_sha,
    headSha: diff_refs.head_sha,
    startSha: diff_refs.start_sha,
    paths: { oldPath: 'shed.txt', newPath: 'shed.txt' },
    newLine: 2,
  }
  // biome-ignore lint/suspicious/noExplicitAny: the document says what comes back
  const begun = await client.request<any>(createDiffNote, { issuableId, body: 'Why **blue**?', position })
  assert.deepEqual(begun.createDiffNote.errors, [])
  const { replyId, notes } = begun.createDiffNote.note.discussion
  assert.deepEqual(
    [notes.nodes[0].position.newLine, notes.nodes[0].position.filePath, notes.nodes[0].position.positionType],
    [2, 'shed.txt', 'text'],
  )
  assert.match(notes.nodes[0].bodyHtml, /<strong>blue<\/strong>/)
  assert.deepEqual(notes.nodes[0].userPermissions, { resolveNote: true, adminNote: true, createNote: true })

  // biome-ignore lint/suspicious/noExplicitAny: the document says what comes back
  const reply = await client.request<any>(createNote, { issuableId, body: 'It was left over.', replyId })
  await client.request(toggle, { replyId, resolved: true })
  await client.request(update, { noteId: reply.createNote.note.id, body: 'It was the last tin.' })

  const [thread, ...others] = await threads()
  assert.deepEqual(others, [])
  assert.deepEqual(
    [thread.replyId, thread.resolved, thread.notes.nodes.map((note: { body: string }) => note.body)],
    [replyId, true, ['Why **blue**?', 'It was the last tin.']],
  )

  await client.request(destroy, { noteId: reply.createNote.note.id })
  assert.equal((await threads())[0].notes.nodes.length, 1)
})

test('what the caller may not do is an error that the client throws', async () => {
  const [thread] = await threads()
  const words = /does not exist or you don't have permission to perform this action/
  const stranger = clientOf((await scene.user()).token)
  const reader = clientOf(await scene.token(developer, { scopes: ['read_api'] }))

  await assert.rejects(clientOf(guest.token).request(toggle, { replyId: thread.replyId, resolved: false }), words)
  await assert.rejects(stranger.request(createNote, { issuableId, body: 'Hello' }), words)
  await assert.rejects(reader.request(createNote, { issuableId, body: 'Hello' }), words)
  await assert.rejects(
    client.request(createNote, { issuableId: 'gid://gitlab/Project/1', body: 'Hello' }),
    /does not represent an instance of/,
  )
  assert.equal((await threads()).length, 1)
})
