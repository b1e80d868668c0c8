/** File actions of a commit: the parameters, and their conversion to git's writer. */
import Type, { type Static } from 'typebox'
import type { FileAction } from '../../../platform/git/index.ts'
import { flag, OneOf, optional, text } from '../../../platform/kernel/declaration/types.ts'
import type { Failures } from '../../../platform/kernel/errors.ts'
import type { Rule } from '../../../platform/kernel/request/params.ts'

/** Maximum size of a commit request in bytes: its files are held in memory while they are written. */
export const MAX_BODY = 128 * 1024 * 1024

/** The encoding of a file's content parameter. */
export const Encoding = Type.Optional(OneOf(['text', 'base64'], { description: 'default `text`' }))

/** The bytes of a content parameter. */
export const decodeContent = (content: string, encoding: 'text' | 'base64' = 'text'): Buffer =>
  Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8')

const Action = Type.Object({
  action: OneOf(['create', 'delete', 'move', 'update', 'chmod'], { description: 'What to do with the file' }),
  file_path: text('Path of the file in the repository', { minLength: 1, maxLength: 4096 }),
  previous_path: optional(text('For `move`: previous path of the file', { maxLength: 4096 })),
  content: optional(text('For `create` and `update`; for `move`, unless the content stays')),
  encoding: Encoding,
  last_commit_id: optional(text('Refuse if the file has changed since this commit')),
  execute_filemode: optional(flag('For `create` and `chmod`')),
})

export const actionParams = Type.Array(Action, {
  description: 'Changes of files, in their order',
  maxItems: 10_000,
  examples: [[{ action: 'create', file_path: 'docs/example.md', content: 'An example' }]],
})

type ActionParam = Static<typeof Action>

/** The parameter that each kind of action requires besides its path. */
const needs: Readonly<Partial<Record<ActionParam['action'], keyof ActionParam>>> = {
  create: 'content',
  update: 'content',
  move: 'previous_path',
  chmod: 'execute_filemode',
}

/** Requires the parameters of each action. */
export const completeActions: Rule = {
  says: 'create and update need content, move needs previous_path, chmod needs execute_filemode',
  check({ actions }) {
    const failures: Failures = {}
    for (const [index, action] of (Array.isArray(actions) ? (actions as Partial<ActionParam>[]) : []).entries()) {
      const need = action?.action && needs[action.action]
      if (need && action[need] === undefined) failures[`actions[${index}][${need}]`] = ['is missing']
    }
    return Object.keys(failures).length > 0 ? failures : undefined
  },
}

/** The actions in the format of git's writer. */
export const fileActions = (actions: readonly ActionParam[]): FileAction[] => actions.map(fileAction)

function fileAction({
  action,
  file_path,
  previous_path = '',
  content,
  encoding,
  last_commit_id,
  execute_filemode = false,
}: ActionParam): FileAction {
  const guard = last_commit_id ? { last_commit_id } : {}
  switch (action) {
    case 'create':
      return { action, file_path, content: decodeContent(content ?? '', encoding), execute_filemode }
    case 'update':
      return { action, file_path, content: decodeContent(content ?? '', encoding), ...guard }
    case 'move':
      return { action, file_path, previous_path, ...(content === undefined ? {} : { content: decodeContent(content, encoding) }), ...guard }
    case 'chmod':
      return { action, file_path, execute_filemode, ...guard }
    case 'delete':
      return { action, file_path, ...guard }
  }
}
