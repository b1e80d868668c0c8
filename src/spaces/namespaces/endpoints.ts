/** Namespaces in which the caller can have projects (namespaces API of the v4 level 14.0). */

import { endpoint, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance, scope } from '../../platform/kernel/declaration/scope.ts'
import { flag, integer, optional, text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { Namespace, PathAvailability } from './entity.ts'
import { namespacesMatching, ownNamespace, takenPaths } from './queries.ts'

/** `:id` becomes a namespace of the caller, or 404. */
const inNamespace = scope({
  name: 'inNamespace',
  path: { id: text('ID or URL-encoded full path of a group or personal namespace') },
  async load({ db, actor }, { id }) {
    const namespace = await ownNamespace(db, actor, id)
    if (!namespace) throw notFound('Namespace')
    return { namespace }
  },
  subject: () => ({ on: 'instance' as const }),
})

/** `:id` is a path, taken or not. */
const inPath = scope({
  name: 'inPath',
  path: { id: text('Path of a group or user', { maxLength: 255 }) },
  load: async (_ctx, { id }) => ({ path: id }),
  subject: () => ({ on: 'instance' as const }),
})

export const listNamespaces = endpoint({
  route: 'GET /namespaces',
  summary: 'List one’s own namespaces, for administrators all',
  scope: inInstance,
  can: 'use_instance',
  params: {
    search: optional(text('Part of the name or path', { maxLength: 255 })),
    owned_only: optional(flag('Only namespaces that one owns')),
  },
  answers: pageOf(Namespace),
  run: ({ db, actor, params }) => namespacesMatching(db, actor, params),
})

export const getNamespace = endpoint({
  route: 'GET /namespaces/:id',
  summary: 'Get a namespace',
  scope: inNamespace,
  can: 'use_instance',
  answers: one(Namespace),
  run: ({ namespace }) => namespace,
})

/** Numbers that are appended to a taken path. */
const SUGGESTIONS = Array.from({ length: 50 }, (_, index) => index + 1)

export const getPathAvailability = endpoint({
  route: 'GET /namespaces/:id/exists',
  summary: 'Tell whether a path is taken',
  scope: inPath,
  can: 'use_instance',
  params: { parent_id: optional(integer('The group that the path is below; at the top unless given')) },
  answers: one(PathAvailability),
  async run({ db, path, params }) {
    const candidates = SUGGESTIONS.map(number => `${path}${number}`)
    const taken = await takenPaths(db, [path, ...candidates], params.parent_id)
    const exists = taken.has(path.toLowerCase())
    const free = candidates.find(candidate => !taken.has(candidate.toLowerCase()))
    return { exists, suggests: exists && free !== undefined ? [free] : [] }
  },
})
