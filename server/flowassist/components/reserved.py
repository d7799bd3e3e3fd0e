"""The names that lfx 1.13 itself uses on a component: an input, output or method of the same name clashes.

`tests/components/test_reserved.py` compares both lists with the installed lfx.
"""

METHODS = frozenset(
    """
    add_to_ctx aget_flow_by_id_or_name alist_a2a_agents_by_flow_folder alist_flows alist_flows_by_flow_folder
    alist_flows_by_folder_id arequire_model_provider_policy build build_component_error_message build_config
    build_input_error_message build_inputs build_output_error_message build_results build_template_config
    check_for_tool_tag_change create_references_from_data custom_repr extract_data get_artifacts get_base_args
    get_base_inputs get_base_outputs get_code_tree get_components get_edges get_event_manager get_field_order
    get_full_path get_function get_function_entrypoint_return_type get_id get_incoming_edge_by_target_param get_input
    get_input_display_name get_langchain_callbacks get_logs get_method get_method_return_type get_output
    get_output_by_method get_output_display_name get_output_logs get_outputs_map get_project_name get_results
    get_state_model_instance_getter get_telemetry_input_values get_template_config get_trace_as_inputs
    get_trace_as_metadata get_undesrcore_inputs get_variable get_variables get_vertex index is_connected_to_chat_input
    is_connected_to_chat_output list_flows list_inputs list_key_names list_outputs load_flow log map_inputs map_outputs
    post_code_processing require_integration_policy require_model_provider_policy reset_all_output_values
    resolve_connection resolve_output resolve_path run run_and_validate_update_outputs run_flow
    select_integration_capabilities send_error send_message set set_artifacts set_attributes set_class_code
    set_current_output set_event_manager set_id set_input_value set_on_output set_output_value set_parameters
    set_results set_vertex start stop to_data to_frontend_node to_toolkit update_build_config update_ctx
    update_frontend_node update_outputs validate variables
    """.split()  # noqa: SIM905
)

ATTRIBUTES = frozenset(
    """
    add_tool_output build_parameters cache code code_class_base_inheritance ctx description display_name enabled_tools
    field_config field_order flow_id flow_name frozen function function_entrypoint_name
    get_function_entrypoint_args get_main_class_name graph icon inputs is_input is_output name outputs priority
    repr_value selected_output status template_config trace_name trace_type tracing_service tree user_id
    """.split()  # noqa: SIM905
)
"""Read from an instance, these give the component's own value and never that of an input of the same name."""

OVERRIDDEN = frozenset(
    """
    arequire_model_provider_policy build_results build_template_config extract_data get_artifacts get_id get_output
    get_output_logs get_template_config map_inputs map_outputs require_integration_policy
    require_model_provider_policy reset_all_output_values set_attributes set_event_manager
    """.split()  # noqa: SIM905
)
"""Methods that lfx calls while a flow runs: an output method of that name breaks the flow, not the single component."""

PREPENDED = frozenset(
    """
    AgentExecutor BaseChatMemory BaseChatMessageHistory BaseChatModel BaseDocumentCompressor BaseLLM BaseLLMOutputParser
    BaseLanguageModel BaseLoader BaseMemory BaseOutputParser BasePromptTemplate BaseRetriever BaseTool BoolInput Chain
    ChatPromptTemplate CodeInput Data DataFrame DataInput DictInput Document DropdownInput Embeddings FileInput
    FloatInput HandleInput IntInput JSON JSONInput LinkInput MessageInput MessageTextInput MultilineInput
    MultilineSecretInput MultiselectInput NestedDictInput Optional Output PromptInput PromptTemplate SecretStrInput
    SliderInput StrInput Table TableInput TextSplitter Tool Union VectorStore VectorStoreRetriever
    """.split()  # noqa: SIM905
)
"""Names that a component has without importing them, since lfx puts imports before its code."""
