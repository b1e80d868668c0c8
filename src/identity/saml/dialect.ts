/** The dialect of what identity providers have browsers send here: forms of other sites, by definition. */
import { anonymous } from '../../platform/access/actor.ts'
import type { Dialect } from '../../platform/kernel/declaration/dialect.ts'
import { pages } from '../../platform/pages/dialect.ts'

/** Pages to which other sites may send forms. They see no session, so that nothing can be done in the name of its user. */
export const answersOfProviders: Dialect = { ...pages, name: 'answers_of_providers', credentials: [], authenticate: async () => anonymous }
