/** The keywords `None` and `Any` of filters, case-insensitive. */
import Type from 'typebox'
import type { Options } from '../../../platform/kernel/declaration/types.ts'

/** `None`: rows with an unset value. */
export const isNone = (value: unknown): boolean => typeof value === 'string' && value.toLowerCase() === 'none'

/** `Any`: rows with a set value. */
export const isAny = (value: unknown): boolean => typeof value === 'string' && value.toLowerCase() === 'any'

/** A parameter that is a number, `None` or `Any`. */
export const NumberOrKeyword = (options: Options = {}) =>
  Type.Union([Type.Integer(), Type.String({ pattern: '^([Nn][Oo][Nn][Ee]|[Aa][Nn][Yy])$' })], options)
