/** The parameters of snippets (snippets API at 14.0). */
import Type, { type Static } from 'typebox'
import { described, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { atLeastOne, exclusive, type Rule } from '../../platform/kernel/request/params.ts'
import { TEXT_LENGTH } from '../item_kinds/kinds.ts'

/** Most files of a snippet. */
export const MOST_FILES = 10

const path = (about: string) => text(about, { maxLength: 4096 })

const filled = (about: string) => text(about, { minLength: 1 })

/** Says that a text is blank; the schema alone takes spaces. */
const notBlank = (name: string): Rule => ({
  says: `${name} is not blank`,
  check: ({ [name]: value }) => (typeof value === 'string' && value.trim() === '' ? { [name]: ['is empty'] } : undefined),
})

const Title = text('Title', { maxLength: 255, examples: ['How to prune branches'] })
const Description = text('Description in Markdown', { maxLength: TEXT_LENGTH })
export const Visibility = OneOf(['private', 'internal', 'public'], { description: 'Who may see it' })

const FileToCreate = Type.Object({
  file_path: text('Path of the file in the repository', { minLength: 1, maxLength: 4096 }),
  content: filled('Content of the file'),
})

const FileAction = Type.Object({
  action: OneOf(['create', 'update', 'delete', 'move'], { description: 'What to do with the file' }),
  file_path: optional(path('Path of the file; a new file without one gets a name')),
  previous_path: optional(path('For `move`, and for `update` of a file that is renamed: its previous path')),
  content: optional(text('For `create` and `update`; for `move`, unless the content stays')),
})

/** What to do with a file of a snippet. */
export type FileActionParam = Static<typeof FileAction>

/** One file in its older form. */
const contentParams = {
  content: optional(filled('Content of the one file; `files` has several')),
  file_name: optional(text('Name of the one file', { maxLength: 4096 })),
}

export const createParams = {
  title: Title,
  description: optional(Description),
  files: optional(
    described(
      'The files',
      Type.Array(FileToCreate, {
        minItems: 1,
        maxItems: MOST_FILES,
        examples: [[{ file_path: 'prune.sh', content: 'git fetch --prune\n' }]],
      }),
    ),
  ),
  ...contentParams,
}

export const createRules: readonly Rule[] = [
  notBlank('title'),
  exclusive('files', 'content'),
  atLeastOne('files', 'content'),
  {
    says: 'content takes a file_name',
    check: ({ content, file_name }) => (content !== undefined && file_name === undefined ? { file_name: ['is missing'] } : undefined),
  },
]

export const updateParams = {
  title: optional(Title),
  description: optional(Description),
  visibility: optional(Visibility),
  files: optional(described('What to do with its files, in this order', Type.Array(FileAction, { minItems: 1, maxItems: 100 }))),
  ...contentParams,
}

export const updateRules: readonly Rule[] = [
  notBlank('title'),
  exclusive('files', 'content'),
  exclusive('files', 'file_name'),
  atLeastOne('title', 'content', 'description', 'files', 'file_name', 'visibility'),
]
