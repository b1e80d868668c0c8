/** The endpoints of the test bench. They are mounted in ephemeral servers alone, and are no part of the API's description. */
import Type from 'typebox'
import { root } from '../../platform/kernel/declaration/dialect.ts'
import { bytes, type Endpoint, endpoint, nothing } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { integer, optional, text } from '../../platform/kernel/declaration/types.ts'
import { badRequest } from '../../platform/kernel/errors.ts'
import type { TestBench } from './bench.ts'

const shared = { scope: inInstance, can: 'admin_instance', dialect: root, counted: false, writes: 'own' } as const

const json = (value: unknown) => ({ body: JSON.stringify(value), status: 200 })

/** The endpoints of a bench. */
export function testingEndpoints(bench: TestBench): readonly Endpoint[] {
  return [
    endpoint({
      ...shared,
      route: 'POST /-/testing/reset',
      summary: 'Bring the world back to what it was when the server started',
      params: {},
      answers: nothing,
      run: async () => bench.reset(),
    }),
    endpoint({
      ...shared,
      route: 'GET /-/testing/requests',
      summary: 'List the requests that clients made since the start or the last reset',
      params: {},
      answers: bytes('application/json'),
      run: async () => json(await bench.requests()),
    }),
    endpoint({
      ...shared,
      route: 'DELETE /-/testing/requests',
      summary: 'Forget the requests that clients made',
      params: {},
      answers: nothing,
      run: async () => bench.recorder.clear(),
    }),
    endpoint({
      ...shared,
      route: 'GET /-/testing/faults',
      summary: 'List the faults that wait for requests',
      params: {},
      answers: bytes('application/json'),
      run: () => json(bench.faults.waiting),
    }),
    endpoint({
      ...shared,
      route: 'POST /-/testing/faults',
      summary: 'Have the next answers of a path fail',
      params: {
        path: text('Path without its query; `*` stands for one part, `**` for any number', {
          minLength: 1,
          maxLength: 1024,
          pattern: '^(/|\\*\\*)',
        }),
        method: optional(Type.Enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'], { description: 'Any unless given' })),
        times: optional(integer('How many answers; 1 unless given', { minimum: 1, maximum: 1_000_000 })),
        status: optional(integer('Status of the answer', { minimum: 400, maximum: 599 })),
        retry_after: optional(integer('Seconds in its header `Retry-After`', { minimum: 0, maximum: 86_400 })),
        delay: optional(integer('Milliseconds before the answer', { minimum: 1, maximum: 600_000 })),
        cut: optional(Type.Boolean({ description: 'End the connection without an answer' })),
      },
      answers: bytes('application/json'),
      run({ params: { times = 1, ...fault } }) {
        const { status, retry_after, delay, cut = false } = fault
        if (status === undefined && delay === undefined && !cut)
          throw badRequest('status, delay, cut are missing, at least one parameter must be provided')
        if (cut && status !== undefined) throw badRequest('status, cut are mutually exclusive')
        if (retry_after !== undefined && status === undefined) throw badRequest('retry_after needs a status')
        bench.faults.add({ ...fault, times })
        return json(bench.faults.waiting)
      },
    }),
    endpoint({
      ...shared,
      route: 'DELETE /-/testing/faults',
      summary: 'Take all faults back',
      params: {},
      answers: nothing,
      run: async () => bench.faults.clear(),
    }),
  ]
}
