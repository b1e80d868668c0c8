/** What package managers are answered when they publish. */
import Type from 'typebox'
import { entity } from '../../../platform/kernel/answer/entity.ts'
import { text } from '../../../platform/kernel/declaration/types.ts'
import { Refusal } from '../../../platform/kernel/errors.ts'

/** That it was published. */
export const PackagePublished = entity({
  name: 'PackagePublished',
  schema: Type.Object({ message: text('That it was published') }),
  present: (_row: object) => ({ message: '201 Created' }),
})

/** 400 for what is no package of its kind, in the platform's words. */
export const unfitPackage = (says: string): Refusal => new Refusal('bad_request', { message: `Validation failed: ${says}` })
