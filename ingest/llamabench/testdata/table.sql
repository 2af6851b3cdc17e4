CREATE TABLE IF NOT EXISTS test (
  build_commit TEXT
);

INSERT INTO test (build_commit, build_number, gpu_info, backends, model_filename, model_type, model_size, model_n_params, cpu_strict, type_k, type_v, n_gpu_layers, n_prompt, n_gen, n_depth, test_time, avg_ns, stddev_ns, avg_ts, stddev_ts) VALUES ('0a1b2c3d', '4567', 'Example GPU', 'CUDA', 'm''s.gguf', 'example 8B', '100', '50', '0', 'f16', 'f16', '99', '512', '0', '0', '2026-03-01T09:00:00Z', '512000000', '0', '1000.000000', '0.000000');
INSERT INTO test (build_commit, build_number, gpu_info, backends, model_filename, model_type, model_size, model_n_params, cpu_strict, type_k, type_v, n_gpu_layers, n_prompt, n_gen, n_depth, test_time, avg_ns, stddev_ns, avg_ts, stddev_ts) VALUES ('0a1b2c3d', '4567', 'Example GPU', 'CUDA', 'm''s.gguf', 'example 8B', '100', '50', '0', 'f16', 'f16', '99', '0', '128', '0', '2026-03-01T09:00:00Z', '1280000000', '0', '100.000000', '0.000000');
INSERT INTO other (a) VALUES ('1');
