/** The issuer of option OidcWellKnown: its address before the well-known path (OpenID Connect Discovery 4.3). */
export function oidcIssuer(wellKnown: string): string | undefined {
  const issuer = wellKnown.replace('/.well-known/openid-configuration', '')
  return /^https?:\/\/./.test(issuer) ? issuer : undefined
}
