export interface ConfigurationTables {
  configuration_owner: ConfigurationOwnerTable
  configuration_item: ConfigurationItemTable
}

/** A configuration file that was applied, identified by its own label. */
export interface ConfigurationOwnerTable {
  owner: string
  /** 0 for a file without a revision. A file with a lower revision is not applied. */
  revision: number
  /** Digest of the file's content, with references in place of secrets. */
  digest: string
  applied_ms: number
}

export interface ConfigurationItemTable {
  /** `option` or `channel`. */
  kind: string
  /** Key of the option, or the channel's name in the file. */
  name: string
  owner: string
  /** 0 for an option. */
  channel_id: number
  /** 1 when the file states whether the channel is on; otherwise that is switched by hand. */
  states_status: number
  /** Digest of the item as the file left it; if it differs, something else has changed the item since. */
  digest: string
}
