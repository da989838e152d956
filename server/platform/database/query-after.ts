import pg from 'pg'

/** What the driver calls on a query while its response arrives; its types do not declare it. */
interface Answered {
  name: string | undefined
  callback: (error: Error | undefined, result: pg.QueryResult) => void
  handleCommandComplete: (message: unknown, connection: pg.Connection) => void
}

/**
 * Runs statements without parameters and then a query, in one round trip. Each statement is a separate message: if one
 * text had several, Citus would resend all of them to the shards for each SET.
 */
export const queryAfter = <Row extends pg.QueryResultRow>(
  client: pg.ClientBase,
  statements: readonly string[],
  config: pg.QueryConfig & { rowMode?: 'array' },
): Promise<pg.QueryResult<Row>> =>
  new Promise((resolve, reject) => {
    const query = new pg.Query<Row>({ ...config, queryMode: 'extended' } as pg.QueryConfig)
    const answered = query as unknown as Answered
    answered.callback = (error, result) => (error ? reject(error) : resolve(result))
    const submitQuery = query.submit.bind(query)
    query.submit = (connection) => {
      connection.stream.cork()
      for (const text of statements) {
        connection.parse({ name: '', text, types: [] }, true)
        connection.bind({}, true)
        connection.execute(null, true)
      }
      const failure = submitQuery(connection)
      connection.stream.uncork()
      // Otherwise the driver would mistake the first parsed statement for the named one.
      if (statements.length > 0) answered.name = undefined
      return failure
    }
    let left = statements.length
    const complete = answered.handleCommandComplete.bind(query)
    answered.handleCommandComplete = (message, connection) => {
      if (left === 0) return complete(message, connection)
      left--
      if (left === 0) answered.name = config.name
    }
    client.query(query)
  })
