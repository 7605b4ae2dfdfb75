/**
 * The issuer of the provider in option OidcWellKnown; undefined without one. OpenID Connect Discovery 4.3: the document is at the
 * issuer's address, followed by a well-known path.
 */
export function oidcIssuer(wellKnown: string): string | undefined {
  const issuer = wellKnown.replace('/.well-known/openid-configuration', '')
  return /^https?:\/\/./.test(issuer) ? issuer : undefined
}
