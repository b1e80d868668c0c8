/**
 * Introspection in turns: the whole schema is tens of thousands of values, which graphql-js would complete without a pause. Its own types of
 * introspection are shared by all schemas of the process; others than ours have no pacer and go on as before.
 */
import { __Schema, __Type } from 'graphql'
import { fieldsBelow, GraphRequest } from '../reading/request.ts'

/** The lists of the schema, and of a type in it. */
const lists = [
  [__Schema, 'types'],
  [__Type, 'fields'],
  [__Type, 'inputFields'],
  [__Type, 'enumValues'],
] as const

/** Lets what is in these lists wait for its turn. */
export function paceIntrospection(): void {
  for (const [type, name] of lists) {
    const field = type.getFields()[name]
    const resolve = field?.resolve
    if (!field || !resolve) throw new Error(`introspection has no list ${name}`)
    field.resolve = (source, args, context, info) => {
      const found = resolve(source, args, context, info)
      if (!(context instanceof GraphRequest) || !Array.isArray(found)) return found
      const fields = fieldsBelow(info)
      return found.map(one => {
        const turn = context.pacer.next(fields)
        return turn ? turn.then(() => one) : one
      })
    }
  }
}
