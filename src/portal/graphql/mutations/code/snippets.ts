/** Mutations of snippets. */
import { Snippet } from '../../../../collaboration/snippets/entity.ts'
import type { SnippetRow } from '../../../../collaboration/snippets/queries.ts'
import type { Route } from '../../../../platform/kernel/declaration/endpoint.ts'
import { numberIn } from '../../reading/ids.ts'
import type { Mutations } from '../mutation.ts'
import { projectAt } from '../places.ts'
import { type MutationRun, type Payload, required } from '../run.ts'

const CREATE = { own: 'POST /snippets', ofProject: 'POST /projects/:id/snippets' } as const satisfies Record<string, Route>
const UPDATE = { own: 'PUT /snippets/:id', ofProject: 'PUT /projects/:id/snippets/:snippet_id' } as const satisfies Record<string, Route>
const DELETE = { own: 'DELETE /snippets/:id', ofProject: 'DELETE /projects/:id/snippets/:snippet_id' } as const satisfies Record<
  string,
  Route
>

interface BlobAction {
  readonly action: string
  readonly filePath: string
  readonly previousPath?: string | null
  readonly content?: string | null
}

interface Attributes {
  readonly title?: string | null
  readonly description?: string | null
  readonly visibilityLevel?: string | null
  readonly blobActions?: readonly BlobAction[] | null
}

const attributes = `
  "Description in Markdown" description: String
  "What happens to its files" blobActions: [SnippetBlobActionInputType!]
`

/** A new snippet takes files, and an existing one changes of them. */
const sentOf = ({ title, description, visibilityLevel, blobActions }: Attributes, isNew: boolean) => ({
  title: title ?? undefined,
  description: description ?? undefined,
  visibility: visibilityLevel ?? undefined,
  files: blobActions?.map(({ action, filePath: file_path, previousPath, content }) =>
    isNew
      ? { file_path, content: content ?? undefined }
      : { action, file_path, previous_path: previousPath ?? undefined, content: content ?? undefined },
  ),
})

const payload = '"The snippet after the mutation" snippet: Snippet'

const shown = async ({ request }: MutationRun, row: unknown): Promise<Payload> => ({
  snippet: await request.show(Snippet, row as SnippetRow),
})

/** The kind of a snippet, and the ids of its routes. */
async function snippetPlace({ ctx }: MutationRun, globalId: string) {
  const id = numberIn('SnippetID', globalId)
  const { project_id } = required(await ctx.db.selectFrom('snippets').select('project_id').where('id', '=', id).executeTakeFirst())
  return project_id === null
    ? ({ kind: 'own', ids: { id } } as const)
    : ({ kind: 'ofProject', ids: { id: String(project_id), snippet_id: id } } as const)
}

export const snippetMutations: Mutations = {
  createSnippet: {
    says: 'Create a snippet of one’s own, or of a project',
    input: `
      "Title" title: String!
      "Who may see it" visibilityLevel: VisibilityLevelsEnum!
      "Full path of the project; one’s own unless given" projectPath: ID
      ${attributes}
    `,
    payload,
    runs: Object.values(CREATE),
    async run(input: Attributes & { projectPath?: string | null }, run) {
      const { projectPath } = input
      const { result } =
        projectPath == null
          ? await run.perform(CREATE.own, sentOf(input, true))
          : await run.perform(CREATE.ofProject, { id: projectAt(projectPath), ...sentOf(input, true) })
      return shown(run, result)
    },
  },
  updateSnippet: {
    says: 'Change a snippet',
    input: `
      "The snippet" id: SnippetID!
      "Title" title: String
      "Who may see it" visibilityLevel: VisibilityLevelsEnum
      ${attributes}
    `,
    payload,
    runs: Object.values(UPDATE),
    async run(input: Attributes & { id: string }, run) {
      const { kind, ids } = await snippetPlace(run, input.id)
      return shown(run, (await run.perform(UPDATE[kind], { ...sentOf(input, false), ...ids })).result)
    },
    async otherwise(input: { id: string }, run) {
      const { kind, ids } = await snippetPlace(run, input.id)
      return shown(run, (await run.subjects(UPDATE[kind], ids)).snippet)
    },
  },
  destroySnippet: {
    says: 'Delete a snippet',
    input: '"The snippet" id: SnippetID!',
    payload,
    runs: Object.values(DELETE),
    async run({ id }: { id: string }, run) {
      const { kind, ids } = await snippetPlace(run, id)
      await run.perform(DELETE[kind], ids)
      return {}
    },
  },
}

export const snippetTypes = `
  "A change of a file of a snippet"
  input SnippetBlobActionInputType {
    "What is done" action: SnippetBlobActionEnum!
    "Path of the file" filePath: String!
    "Path before a move" previousPath: String
    "New content" content: String
  }
  "What is done with a file of a snippet"
  enum SnippetBlobActionEnum {
    "Create it" create
    "Change its content" update
    "Delete it" delete
    "Move it" move
  }
`
