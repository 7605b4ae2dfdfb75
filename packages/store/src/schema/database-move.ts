/** A single row: the identity of this database, and whether its data is here. */
export interface DatabaseMoveTable {
  /** 32 hexadecimal digits; a copy of a SQLite file has the same. */
  id: string
  /** The database whose data was moved into this one, or is being moved; empty if none. */
  from_id: string
  /** A description for the operator, without user and password. */
  from_name: string
  /** When the data was complete here, in unix milliseconds; 0 while it is being moved. */
  arrived_ms: number
  /** The database that the data went to; empty if it is here. */
  to_id: string
  to_name: string
  /** When this database was closed to gateways, in unix milliseconds; 0 while the data is here. */
  left_ms: number
}
