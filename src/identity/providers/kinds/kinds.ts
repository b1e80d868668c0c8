/** The kinds of providers, as the file of providers names them. */
import { ldap } from '../../ldap/kind.ts'
import { saml } from '../../saml/kind.ts'
import type { ProviderKind } from '../provider.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { openidConnect } from './openid_connect.ts'

// A provider has the settings of its own kind: file.ts checks them by the schema.
export const kinds = [openidConnect, github, gitlab, ldap, saml] as unknown as readonly ProviderKind[]
