/** The file actions of a commit as parameters, and as what git makes of them. */
import Type, { type Static } from 'typebox'
import type { FileAction } from '../../../platform/git/writing/actions.ts'
import type { Failures } from '../../../platform/kernel/errors.ts'
import type { Rule } from '../../../platform/kernel/request/params.ts'
import { OneOf } from '../../../platform/kernel/types.ts'

/** Bytes that a commit's request may have: its files are held in memory while it is written. */
export const MAX_BODY = 128 * 1024 * 1024

/** How a file's content is spelled in a parameter. */
export const Encoding = Type.Optional(OneOf(['text', 'base64'], { description: '`text` unless given' }))

/** The bytes of a content parameter. */
export const decodeContent = (content: string, encoding: 'text' | 'base64' = 'text'): Buffer =>
  Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8')

const Action = Type.Object({
  action: OneOf(['create', 'delete', 'move', 'update', 'chmod']),
  file_path: Type.String({ minLength: 1, maxLength: 4096 }),
  previous_path: Type.Optional(Type.String({ maxLength: 4096, description: 'For `move`: where the file was' })),
  content: Type.Optional(Type.String({ description: 'For `create` and `update`; for `move`, unless the content stays' })),
  encoding: Encoding,
  last_commit_id: Type.Optional(Type.String({ description: 'Refuse if the file has changed since this commit' })),
  execute_filemode: Type.Optional(Type.Boolean({ description: 'For `create` and `chmod`' })),
})

export const actionParams = Type.Array(Action, {
  maxItems: 10_000,
  examples: [[{ action: 'create', file_path: 'docs/example.md', content: 'An example' }]],
})

type ActionParam = Static<typeof Action>

/** What each kind of action needs besides its path. */
const needs: Readonly<Partial<Record<ActionParam['action'], keyof ActionParam>>> = {
  create: 'content',
  update: 'content',
  move: 'previous_path',
  chmod: 'execute_filemode',
}

/** Every action has what its kind needs. */
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

/** Complete actions as git's writer takes them. */
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
