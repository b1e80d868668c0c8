/** The SAML provider of a group for the derived tests: nothing is sent to it. */
import { makePair } from '../../src/identity/saml/scene_pair.ts'
import type { Person, SceneGroup } from '../scene.ts'

/** A certificate that is one. */
export const { certificate } = makePair()

/** Sets one up. */
export const setUpSaml = (root: Person, { url }: Pick<SceneGroup, 'url'>) =>
  root.put(`${url}/saml_provider`, { issuer: 'https://id.example.com', sso_url: 'https://id.example.com/sso', certificate })
