"""The tables."""

from sqlalchemy import Column, DateTime, Index, Integer, LargeBinary, MetaData, String, Table, Text

metadata = MetaData()

messages = Table(
    "messages",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("owner", String(200), nullable=False),
    Column("session_id", String(160), nullable=False),
    Column("turn_id", String(36), nullable=False),
    Column("sender", String(9), nullable=False),  # user, assistant
    Column("text", Text, nullable=False),
    Column("component_code", Text, nullable=False, default=""),
    Column("created_at", DateTime(timezone=True), nullable=False),
    Index("messages_of_session", "owner", "session_id", "id"),
)

components = Table(
    "components",
    metadata,
    Column("owner", String(200), primary_key=True),
    Column("name", String(200), primary_key=True),
    Column("summary", Text, nullable=False),  # JSON of what a list tells of it, as components/described.py writes it
    Column("code", Text, nullable=False),
    Column("node", Text, nullable=False),  # Langflow's JSON, the code in it
    Column("validated_at", DateTime(timezone=True), nullable=False),
)

variables = Table(
    "variables",
    metadata,
    Column("owner", String(200), primary_key=True),
    Column("name", String(100), primary_key=True),
    Column("value", LargeBinary, nullable=False),  # sealed by store/vault.py
    Column("key_id", String(16), nullable=False, index=True),
    Column("updated_at", DateTime(timezone=True), nullable=False),
)
