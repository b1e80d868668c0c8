/** The parameters for custom attributes that lists and single gets of users, groups and projects share (document 3). */
import Type, { type TProperties } from 'typebox'
import { Hash } from '../../platform/kernel/types.ts'

/** Shows the attributes. */
export const withCustomAttributesParam = {
  with_custom_attributes: Type.Optional(Type.Boolean({ description: 'Show custom attributes; administrators only' })),
} satisfies TProperties

/** Shows the attributes, and filters a list by them. */
export const customAttributeParams = {
  ...withCustomAttributesParam,
  custom_attributes: Type.Optional(
    Hash({ maxProperties: 20, description: 'Only what has these values under these keys; administrators only' }),
  ),
} satisfies TProperties
