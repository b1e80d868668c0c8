/**
 * Declarations that must not compile. Nothing here runs: `npm run types` fails where a line below is accepted, because
 * then its `@ts-expect-error` expects an error that is not there.
 */
import Type from 'typebox'
import { entity } from '../src/platform/kernel/answer/entity.ts'
import { bytes, endpoint, nothing, one, pageOf } from '../src/platform/kernel/declaration/endpoint.ts'
import { machine } from '../src/platform/kernel/declaration/machine.ts'
import { inInstance, scope, within } from '../src/platform/kernel/declaration/scope.ts'
import { File, Nullable, OneOf } from '../src/platform/kernel/declaration/types.ts'

const Thing = entity({
  name: 'Thing',
  schema: Type.Object({ id: Type.Integer(), name: Nullable(Type.String()) }),
  present: (row: { id: number }) => ({ id: row.id, name: null }),
})
const inThing = scope({
  name: 'inThing',
  path: { thing_id: Type.Integer() },
  load: async (_ctx, { thing_id }) => ({ thing: { id: thing_id } }),
  subject: () => ({ on: 'instance' as const }),
})
const common = { route: 'GET /things/:thing_id', summary: 'Get a thing', scope: inThing, can: 'read_instance' } as const

// As it should be: subjects from the scope, parameters from their schemas, the result from the answer.
endpoint({
  ...common,
  params: {
    count: Type.Integer(),
    sort: Type.Optional(OneOf(['asc', 'desc'])),
    file: File(),
  },
  answers: one(Thing),
  run: ({ thing, params }) => {
    const count: number = params.count
    const sort: 'asc' | 'desc' | undefined = params.sort
    const path: string = params.file.file
    return count > 0 && sort === 'asc' && path !== '' ? thing : { id: 1 }
  },
})

// @ts-expect-error no such ability
endpoint({ ...common, can: 'read_everything', answers: nothing, run: () => {} })

// @ts-expect-error an ability about projects, asked about the instance
endpoint({ ...common, can: 'read_project', answers: nothing, run: () => {} })

// @ts-expect-error an id in the path that neither the scope nor a parameter reads
endpoint({ ...common, route: 'GET /things/:thing_id/parts/:part_id', answers: nothing, run: () => {} })

// @ts-expect-error a scope whose id is not in the path
endpoint({ ...common, route: 'GET /things', answers: nothing, run: () => {} })

// An id that is read as a parameter is read too.
endpoint({
  ...common,
  route: 'GET /things/:thing_id/files/*file_path',
  params: { file_path: Type.String() },
  answers: nothing,
  run: ({ params }) => void params.file_path.length,
})

// A scope within another is about what the outer one is about.
const inPart = within(inThing, { name: 'inPart', path: { part_id: Type.Integer() }, load: async () => ({ part: 1 }) })
const partOf = {
  route: 'GET /things/:thing_id/parts/:part_id',
  summary: 'Get a part',
  scope: inPart,
  answers: nothing,
  run: () => {},
} as const
endpoint({ ...partOf, can: 'read_instance' })
// @ts-expect-error an ability about groups
endpoint({ ...partOf, can: 'read_group' })

// @ts-expect-error no such method
endpoint({ ...common, route: 'FETCH /things', answers: nothing, run: () => {} })

// @ts-expect-error a route has a path
endpoint({ ...common, route: 'GET things', answers: nothing, run: () => {} })

// @ts-expect-error a scope is needed: it is what answers 404
endpoint({ route: 'GET /things', summary: 'List things', can: 'read_instance', answers: nothing, run: () => {} })

// @ts-expect-error no such refusal
endpoint({ ...common, answers: nothing, errors: ['gone'], run: () => {} })

endpoint({
  ...common,
  answers: one(Thing),
  // @ts-expect-error the row of another entity
  run: () => ({ name: 'a thing without an id' }),
})

endpoint({
  ...common,
  answers: pageOf(Thing),
  // @ts-expect-error rows that were fetched: the kernel cuts pages, from a query or slices
  run: () => [{ id: 1 }],
})

endpoint({
  ...common,
  answers: nothing,
  // @ts-expect-error an answer where none is declared
  run: () => ({ id: 1 }),
})

endpoint({
  ...common,
  answers: bytes('text/plain'),
  // @ts-expect-error bytes come as `{ body }`
  run: () => 'text',
})

endpoint({
  ...common,
  params: { count: Type.Integer() },
  answers: nothing,
  run: ({ params }) => {
    // @ts-expect-error no such parameter
    void params.size
    // @ts-expect-error not a text
    const text: string = params.count
    void text
  },
})

endpoint({
  ...common,
  answers: nothing,
  run: ({ thing, ...ctx }) => {
    void thing.id
    // @ts-expect-error the scope gives no such subject
    void ctx.project
  },
})

entity({
  name: 'Thing',
  schema: Type.Object({ id: Type.Integer() }),
  // @ts-expect-error the schema says a number
  present: (row: { id: string }) => ({ id: row.id }),
})

entity({
  name: 'Thing',
  schema: Type.Object({ id: Type.Integer() }),
  // @ts-expect-error presenters are synchronous: what they need is loaded for the whole page
  present: async (row: { id: number }) => ({ id: row.id }),
})

entity({
  name: 'Thing',
  schema: Type.Object({ id: Type.Integer() }),
  present: (row: { id: number }, _loaded: undefined, facts) => {
    // @ts-expect-error presenters see facts, not the database
    void facts.db
    return { id: row.id }
  },
})

within(inInstance, {
  name: 'inInner',
  path: { inner_id: Type.Integer() },
  load: async (_ctx, path) => {
    // @ts-expect-error not a parameter of this scope
    void path.outer_id
    return { inner: path.inner_id }
  },
})

scope({
  name: 'inPlace',
  path: {},
  load: async () => ({}),
  // @ts-expect-error abilities are asked about nothing of this kind
  subject: () => ({ on: 'planet' }),
})

// @ts-expect-error the event leads to a state that does not exist
machine({ states: ['open', 'closed'], initial: 'open', events: { close: { open: 'gone' } } })

// @ts-expect-error the first state is none of the states
machine({ states: ['open', 'closed'], initial: 'new', events: {} })
