/** Flags as Unleash's clients read them. */
import Type from 'typebox'
import { plain } from '../../../platform/kernel/answer/entity.ts'
import { flag, integer, OneOf, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { strategyNames } from '../strategies.ts'

export const UnleashFeatures = plain(
  'UnleashFeatures',
  Type.Object({
    version: integer('Always 1'),
    features: Type.Array(
      Type.Object({
        name: text('Name of the flag'),
        description: optional(text('What it is for')),
        enabled: flag('Whether it is on'),
        strategies: Type.Array(
          Type.Object({
            // A list of users is sent as `userWithId`, which all clients know.
            name: OneOf(strategyNames, { description: 'Name of the strategy' }),
            parameters: Type.Record(Type.String(), Type.String(), { description: 'What it is given' }),
          }),
          { description: 'The strategies of the environment; one that fits is enough' },
        ),
      }),
      { description: 'The flags of the environment' },
    ),
  }),
)

/** What the endpoints answer that keep nothing. */
export const UnleashNothing = plain('UnleashNothing', Type.Object({}))

export const FeatureFlagsClient = plain(
  'FeatureFlagsClient',
  Type.Object({
    api_url: text('The address that clients of Unleash are given'),
    instance_id: text('The instance ID that they are given'),
  }),
)
