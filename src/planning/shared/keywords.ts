/** The words `None` and `Any` that filters take in place of a value, in any case of letters. */
import Type from 'typebox'
import type { Options } from '../../platform/kernel/types.ts'

/** `None`: the rows where nothing is set. */
export const isNone = (value: unknown): boolean => typeof value === 'string' && value.toLowerCase() === 'none'

/** `Any`: the rows where something is set. */
export const isAny = (value: unknown): boolean => typeof value === 'string' && value.toLowerCase() === 'any'

/** A parameter that is a number, `None` or `Any`. */
export const NumberOrKeyword = (options: Options = {}) =>
  Type.Union([Type.Integer(), Type.String({ pattern: '^([Nn][Oo][Nn][Ee]|[Aa][Nn][Yy])$' })], options)
