/** The key `id_tokens`: tokens for other services. */
import { limits } from '../limits.ts'
import type { IdTokenOption } from '../plan.ts'
import { isList, isMap } from '../reading/values.ts'
import { fields, optional, type Read, shaped } from './place.ts'

const audience: Read<string | readonly string[]> = shaped(
  { types: ['string', 'array'], items: { types: ['string'] }, minItems: 1 },
  (value, place) => {
    const texts = isList(value) ? value : [value]
    if (texts.length === 0 || texts.length > limits.audiences || !texts.every(each => typeof each === 'string' && each !== ''))
      return place.refuse(`config should be a string or an array of at most ${limits.audiences} strings`)
    return value as string | readonly string[]
  },
)

const tokenFields = fields({ aud: audience }, ['aud'])

/** By the name of the variable. */
export const idTokens: Read<Readonly<Record<string, IdTokenOption>>> = shaped({ types: ['object'] }, (value, place) => {
  if (!isMap(value)) return place.refuse('config should be a hash')
  if (value.size > limits.idTokens) return place.refuse(`config should have at most ${limits.idTokens} tokens`)
  const names = [...value.keys()].filter(name => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
  if (names.length > 0) return place.refuse(`config should have names of variables: ${names.join(', ')}`, names[0])
  const found = [...value].map(([name, given]) => optional(name, tokenFields(given, place.below(name)) as IdTokenOption | undefined))
  return Object.assign({}, ...found)
})
