/** The parameters for custom attributes that lists and single gets of users, groups and projects share (document 3). */
import Type, { type TProperties } from 'typebox'
import { flag, Hash, optional } from '../../platform/kernel/declaration/types.ts'

/** Shows the attributes. */
export const withCustomAttributesParam = {
  with_custom_attributes: optional(flag('Show custom attributes; administrators only')),
} satisfies TProperties

/** Shows the attributes, and filters a list by them. */
export const customAttributeParams = {
  ...withCustomAttributesParam,
  custom_attributes: Type.Optional(
    Hash({ maxProperties: 20, description: 'Only what has these values under these keys; administrators only' }),
  ),
} satisfies TProperties
