/** What lists of the API answer, for pages that show them: the same query, the same rules, the same JSON. */
import { presentAll } from '../kernel/answer/entity.ts'
import type { PageRequest } from '../kernel/answer/page.ts'
import type { Context } from '../kernel/context.ts'
import type { Endpoint, PageOf } from '../kernel/declaration/endpoint.ts'
import { paramsOf } from '../kernel/declaration/steps.ts'
import { ParameterReader } from '../kernel/request/params.ts'
import { type ListPage, listPage } from './lists.ts'

const readers = new WeakMap<Endpoint, ParameterReader>()

function readerOf(list: Endpoint): ParameterReader {
  const known = readers.get(list)
  if (known) return known
  const made = new ParameterReader(paramsOf(list), list.rules)
  readers.set(list, made)
  return made
}

/**
 * Parameters as a declaration reads them.
 * @throws Refusal 400 for those that it refuses
 */
export const readAs = ({ tier }: Pick<Context, 'tier'>, endpoint: Endpoint, params: Readonly<Record<string, unknown>>) =>
  readerOf(endpoint).read({ ...params }, tier)

/**
 * A page of what a list of the API answers. The caller has checked the ability that the declaration names; `ctx` has the subjects of its scope.
 * @param params as a client would send them
 * @throws Refusal 400 for parameters that the list refuses
 */
// biome-ignore lint/suspicious/noExplicitAny: the JSON of the entity that the declaration names
export async function answerOf(ctx: Context, list: Endpoint, params: Readonly<Record<string, unknown>>): Promise<ListPage<any>> {
  if (list.answers.kind !== 'page') throw new Error(`${list.route} answers no list`)
  const read = readAs(ctx, list, params)
  const found = await listPage(ctx, await list.run({ ...ctx, params: read }), read as unknown as PageRequest)
  const { entity } = list.answers as unknown as PageOf<unknown>
  const rows = await presentAll('sizes' in entity ? entity.pick(ctx, read) : entity, ctx, found.rows)
  return { ...found, rows }
}
